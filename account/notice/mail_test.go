package notice

import (
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestGrouped(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64().Draw(t, "n")
		s := grouped(n)
		if strings.ReplaceAll(s, ",", "") != big.NewInt(n).String() {
			t.Fatalf("%d: %s", n, s)
		}
		groups := strings.Split(strings.TrimPrefix(s, "-"), ",")
		for i, g := range groups {
			if i > 0 && len(g) != 3 || len(g) == 0 || len(g) > 3 {
				t.Fatalf("%d: %s", n, s)
			}
		}
	})
}

func TestReached(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := figures{quota: rapid.Int64Range(1, 1<<62).Draw(t, "quota")}
		f.used = rapid.Int64Range(max(f.quota/2, 1)-1, f.quota+2).Draw(t, "used")
		percent := rapid.SampledFrom([]int{50, 80, 100}).Draw(t, "percent")
		left := new(big.Int).Mul(big.NewInt(f.used), big.NewInt(100))
		right := new(big.Int).Mul(big.NewInt(f.quota), big.NewInt(int64(percent)))
		if f.reached(percent) != (left.Cmp(right) >= 0) {
			t.Fatalf("%d of %d at %d%%", f.used, f.quota, percent)
		}
	})
}

func TestPounds(t *testing.T) {
	for millipence, want := range map[int64]string{0: "£0.00", 999: "£0.00", 1_000: "£0.01", 99_999: "£0.99", 100_000: "£1.00", 123_456_789: "£1,234.56"} {
		if got := pounds(millipence); got != want {
			t.Errorf("%d: %s", millipence, got)
		}
	}
}

// TestBeyond checks that the mail says what happens to calls beyond the quota.
func TestBeyond(t *testing.T) {
	for _, c := range []struct {
		name               string
		price, left, funds int64
		want, not          []string
	}{
		{"sells none", 0, 5, 0, []string{"429"}, []string{"402", "credit"}},
		{"sells none, used up", 0, 0, 900, []string{"429"}, []string{"402", "credit"}},
		{"credit", 10, 5, 1_000_000, []string{"£10.00", "100,000"}, []string{"402", "429"}},
		{"credit, used up", 10, 0, 1_000_000, []string{"£10.00", "100,000"}, []string{"402", "429"}},
		{"no credit", 10, 5, 0, []string{"402"}, []string{"429", "£"}},
		{"less credit than a unit", 10, 0, 9, []string{"402"}, []string{"429", "£"}},
	} {
		n := New(Options{UnitPrice: c.price})
		l := n.write(Payload{Month: "2026-11", Used: 50_000 - c.left, MonthlyQuota: 50_000, Remaining: c.left, BalanceMillipence: c.funds, Upgrade: "https://x.example/console?a=1&b=2"})
		for _, text := range []string{strings.Split(l.text, "\n\n")[2], l.html} {
			for _, w := range c.want {
				if !strings.Contains(text, w) {
					t.Errorf("%s: no %s in %s", c.name, w, text)
				}
			}
			for _, w := range c.not {
				if strings.Contains(strings.Split(text, `<a href`)[0], w) {
					t.Errorf("%s: %s in %s", c.name, w, text)
				}
			}
		}
		if !strings.Contains(l.html, "https://x.example/console?a=1&amp;b=2") {
			t.Errorf("%s: the link is broken in %s", c.name, l.html)
		}
	}
}

// TestShare checks what is said of how much was used: all of it only where nothing is left.
func TestShare(t *testing.T) {
	for _, c := range []struct {
		used, quota, want int64
		title             string
	}{
		{0, 0, 100, "99%"}, {5, 0, 100, "99%"}, {0, 7, 0, "0%"}, {4, 5, 80, "80%"}, {799, 1000, 79, "79%"}, {1000, 1000, 100, "99%"}, {1 << 62, 1, 1<<63 - 1, "99%"},
	} {
		if got := percentOf(c.used, c.quota); got != c.want {
			t.Errorf("%d of %d is %d per cent, want %d", c.used, c.quota, got, c.want)
		}
		if m := New(Options{}).write(Payload{Month: "2026-11", Used: c.used, MonthlyQuota: c.quota, Remaining: 1}); !strings.HasPrefix(m.subject, c.title+" ") {
			t.Errorf("%d of %d: the title is %q, want %s", c.used, c.quota, m.subject, c.title)
		}
	}
}
