public class Bell {
    static String ring(int times) {
        String sound = "";
        int rung = 0;
        for (; rung < times; rung++) {
            sound += "dong ";
        }
        return sound.trim();
    }

    public static void main(String[] args) {
        { int hour = 1;
        while (hour < 4) {
            if (hour == 2) {
                System.out.println("two: " + ring(2));
            } else {
                System.out.println(ring(hour));
            }
        hour++;
        } }
    }
}
