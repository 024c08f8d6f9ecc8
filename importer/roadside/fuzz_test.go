package roadside

import "testing"

func FuzzValues(f *testing.F) {
	f.Add("150 kW;22 kW", "NNW")
	f.Add("7,4kva", "359.6")
	f.Fuzz(func(t *testing.T, power, direction string) {
		if kw := kilowatts(power); !(kw >= 0 && kw <= mostKW) {
			t.Errorf("%q is %g kW", power, kw)
		}
		if d, ok := bearing(direction); ok && (d < 0 || d >= 360) {
			t.Errorf("%q is %d degrees", direction, d)
		}
		if n := count(power); n < 0 || n > mostCount {
			t.Errorf("%q is %d", power, n)
		}
	})
}
