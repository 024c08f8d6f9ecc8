package places

import "testing"

func TestOneEdit(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"", "", true},
		{"a", "", true},
		{"abc", "abc", true},
		{"abc", "abd", true},
		{"abc", "ab", true},
		{"abc", "abcd", true},
		{"abcd", "abdc", true},
		{"abc", "bac", true},
		{"abc", "cba", false},
		{"abc", "axy", false},
		{"ab", "abcd", false},
		{"日本語", "日本", true},
		{"日本語", "本日語", true},
		{"日本語", "日x語", true},
		{"日本語", "xy語", false},
		{"aaaa", "aaa", true},
		{"abab", "ab", false},
	} {
		if oneEdit(c.a, c.b) != c.want || oneEdit(c.b, c.a) != c.want {
			t.Errorf("%q and %q: not %v", c.a, c.b, c.want)
		}
	}
}
