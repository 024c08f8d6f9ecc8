package country

import "testing"

func TestEveryCountryHasItsCodes(t *testing.T) {
	n, long := 0, 0
	for code, c := range all() {
		n++
		if len(code) != 2 || c.Name == "" || len(c.Alpha3) != 0 && len(c.Alpha3) != 3 {
			t.Errorf("%s is %+v", code, c)
		}
		if c.Alpha3 != "" {
			long++
		}
	}
	if n < 249 || long < 249 {
		t.Errorf("%d countries, %d with a code of three letters; ISO has 249", n, long)
	}
	if c := Of("ZZ"); c != (Country{Name: "ZZ"}) {
		t.Errorf("a code of none is %+v", c)
	}
}
