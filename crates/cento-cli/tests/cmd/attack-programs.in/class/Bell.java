public class Bell {
    static String ring(int times) {
        String sound = "";
        int rung = 0;
        while (rung < times) {
            sound += "dong ";
            rung++;
        }
        return sound.trim();
    }

    public static void main(String[] args) {
        for (int hour = 1; hour < 4; hour++) {
            if (hour == 2) {
                System.out.println("two: " + ring(2));
            } else {
                System.out.println(ring(hour));
            }
        }
    }
}
