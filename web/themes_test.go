package web

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/waygate/waygate/style"
)

// TestThemes holds the themes that pages offer to those that are built in.
func TestThemes(t *testing.T) {
	data, err := os.ReadFile("src/map/themes.json")
	if err != nil {
		t.Fatal(err)
	}
	var offered map[string]string
	if err := json.Unmarshal(data, &offered); err != nil {
		t.Fatal(err)
	}
	if got, want := slices.Sorted(maps.Keys(offered)), style.Names(); !slices.Equal(got, want) {
		t.Errorf("src/map/themes.json has %v; built in are %v", got, want)
	}
}
