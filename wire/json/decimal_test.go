package json_test

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/waygate/waygate/wire/json"
)

// TestDecimals compares with the standard library's shortest form.
func TestDecimals(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 20_000 {
		decimals := r.IntN(7)
		least := r.IntN(decimals + 1)
		n := r.Int64N(1 << r.IntN(49)) // few digits as well as many
		if r.IntN(4) == 0 {
			n -= n % 1000
		}
		if r.IntN(2) == 0 {
			n = -n
		}
		v := float64(n) / math.Pow10(decimals)
		want := strconv.FormatFloat(v, 'f', -1, 64)
		whole, rest, _ := strings.Cut(want, ".")
		if len(rest) < least {
			rest += strings.Repeat("0", least-len(rest))
		}
		if want = whole; rest != "" {
			want += "." + rest
		}
		if got := string(json.AppendDecimal([]byte("x"), v, decimals, least)); got != "x"+want {
			t.Fatalf("%d with %d decimals, at least %d: %s, want %s", n, decimals, least, got, want)
		}
	}
}
