import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static java.util.stream.IntStream.iterate;
import static java.util.stream.IntStream.range;
import static java.util.stream.IntStream.rangeClosed;

import java.util.TreeMap;

/**
 * @author Signe Eriksen
 */
class Harrowmere {
    public static void main(String[] ignored) {
        var year = rangeClosed(1, 120).mapToObj(Reading::of).toList();
        var peak = year.stream().reduce((one, other) -> other.centimetres() > one.centimetres() ? other : one).orElseThrow();
        System.out.printf("highest: %d on day %d%n", peak.centimetres(), peak.day());
        System.out.printf("mean: %.0f%n", Math.floor(year.stream().mapToInt(Reading::centimetres).average().getAsDouble()));
        System.out.printf("flood days: %d%n", year.stream().filter(reading -> reading.centimetres() > 74).count());

        // L for low, H for high: the longest word of Ls is the spell.
        var letters = year.stream().map(reading -> reading.centimetres() < 50 ? "L" : "H").collect(joining());
        var spell = "L".repeat((int) iterate(1, length -> letters.contains("L".repeat(length)), length -> length + 1).count());
        System.out.printf("longest low: %d days from day %d%n", spell.length(), letters.indexOf(spell) + 1);

        var weeks = range(0, year.size() / 7)
                .map(week -> year.subList(7 * week, 7 * week + 7).stream().mapToInt(Reading::centimetres).sum() / 7)
                .toArray();
        System.out.printf("rising weeks: %d%n", range(1, weeks.length).filter(week -> weeks[week - 1] < weeks[week]).count());

        var bands = year.stream().collect(groupingBy(reading -> reading.centimetres() / 20, TreeMap::new, counting()));
        range(0, 6).forEach(band -> System.out.println("from " + band * 20 + ": " + "*".repeat(bands.getOrDefault(band, 0L).intValue())));
    }
}

record Reading(int day, int centimetres) {
    static Reading of(int day) {
        return new Reading(day, Math.floorMod((day * 7 + 31) * day + 17, 101));
    }
}
