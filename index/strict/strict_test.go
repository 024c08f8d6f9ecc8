package strict

import "testing"

// TestDecode refuses unknown members and what follows the value.
func TestDecode(t *testing.T) {
	for text, good := range map[string]bool{
		`{"name":"a"}`:            true,
		" {\"name\":\"a\"}\n":     true,
		`{"name":"a","nmae":"b"}`: false,
		`{"name":"a"}{}`:          false,
		`{"name":"a"},`:           false,
		`{"name":`:                false,
		`{"name":1}`:              false,
	} {
		var into struct {
			Name string `json:"name"`
		}
		if err := Decode([]byte(text), &into); (err == nil) != good || good && into.Name != "a" {
			t.Errorf("%s: %v, %+v", text, err, into)
		}
	}
}
