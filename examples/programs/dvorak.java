/*
 * Programming I, sheet 4
 * Milena Dvorak
 */
class WaterTask
{
  static final int N = 120;
  static final int HIGH_MARK = 75;
  static final int DRY_MARK = 50;

  /* fills the array with the values from the sheet */
  static int[] makeData()
  {
    int[] w = new int[N];
    for (int t = 1; t <= N; t++)
    {
      w[t - 1] = (t * t * 7 + t * 31 + 17) % 101;
    }
    return w;
  }

  static int whereMax(int[] w)
  {
    int m = 0;
    for (int k = 1; k < w.length; k++)
    {
      if (w[k] > w[m])
      {
        m = k;
      }
    }
    return m + 1;
  }

  static int avg(int[] w, int lo, int hi)
  {
    int total = 0;
    for (int k = lo; k < hi; k++)
    {
      total += w[k];
    }
    return total / (hi - lo);
  }

  static int countHigh(int[] w)
  {
    int c = 0;
    for (int x : w)
    {
      if (x >= HIGH_MARK)
      {
        c++;
      }
    }
    return c;
  }

  static void showDry(int[] w)
  {
    int pos = 0;
    int len = 0;
    int begin = 0;
    for (int k = 0; k <= w.length; k++)
    {
      if (k == w.length || w[k] >= DRY_MARK)
      {
        if (k - begin > len)
        {
          len = k - begin;
          pos = begin;
        }
        begin = k + 1;
      }
    }
    System.out.println("longest low: " + len + " days from day " + (pos + 1));
  }

  static int up(int[] w)
  {
    int r = 0;
    int last = avg(w, 0, 7);
    for (int q = 1; (q + 1) * 7 <= w.length; q++)
    {
      int cur = avg(w, q * 7, (q + 1) * 7);
      if (cur > last)
      {
        r++;
      }
      last = cur;
    }
    return r;
  }

  static void chart(int[] w)
  {
    int[] box = new int[6];
    for (int x : w)
    {
      box[x / 20]++;
    }
    for (int b = 0; b < box.length; b++)
    {
      StringBuilder s = new StringBuilder("from " + b * 20 + ": ");
      for (int j = 0; j < box[b]; j++)
      {
        s.append('*');
      }
      System.out.println(s.toString());
    }
  }

  public static void main(String[] args)
  {
    int[] w = makeData();
    int t = whereMax(w);
    System.out.println("highest: " + w[t - 1] + " on day " + t);
    System.out.println("mean: " + avg(w, 0, w.length));
    System.out.println("flood days: " + countHigh(w));
    showDry(w);
    System.out.println("rising weeks: " + up(w));
    chart(w);
  }
}
