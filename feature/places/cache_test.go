package places

import "testing"

// TestCacheKeepsTheLastUsed checks that the set used longest ago gives way to a new one, and
// that a set larger than the cache has no place there.
func TestCacheKeepsTheLastUsed(t *testing.T) {
	c := newCache(20)
	for _, key := range []string{"a", "b"} {
		c.add(&set{key: key, bytes: 10}, 0)
	}
	c.any("a")
	c.add(&set{key: "c", bytes: 10}, 0)
	c.add(&set{key: "large", bytes: 21}, 0)
	for key, want := range map[string]bool{"a": true, "b": false, "c": true, "large": false} {
		if held, _ := c.any(key); (held != nil) != want {
			t.Errorf("%s is held: %v", key, held != nil)
		}
	}
	_, drops := c.any("a")
	c.drop("a")
	c.add(&set{key: "a", bytes: 10}, drops)
	if held, _ := c.any("a"); held != nil {
		t.Error("a set that was read before it was dropped is held")
	}
}
