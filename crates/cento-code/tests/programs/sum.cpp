// The sum of the squares of even numbers.
#include <iostream>
#include <vector>
using namespace std;

template <typename T> bool is_even(const T &n) { return n % 2 == 0; }

class Sum {
public:
    explicit Sum(int start) : total(start) {}
    void add(int n) { this->total += n * n; }
    int total;
};

int main() {
    vector<int> numbers = {1, 2, 3, 4};
    Sum sum(0);
    for (auto n : numbers) {
        if (is_even(n)) { sum.add(n); } else { continue; }
    }
    std::cout << "sum: " << sum.total << endl;
}
