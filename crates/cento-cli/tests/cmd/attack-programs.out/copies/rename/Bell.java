public class Bell {
    static String leftGroup(int lastResult) {
        String nextPlace = "";
        int mainAnswer = 0;
        while (mainAnswer < lastResult) {
            nextPlace += "dong ";
            mainAnswer++;
        }
        return nextPlace.trim();
    }

    public static void main(String[] firstPick) {
        for (int lowerEntry = 1; lowerEntry < 4; lowerEntry++) {
            if (lowerEntry == 2) {
                System.out.println("two: " + leftGroup(2));
            } else {
                System.out.println(leftGroup(lowerEntry));
            }
        }
    }
}
