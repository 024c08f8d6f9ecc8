// Package sprite is the icons of map styles: those of Maki (CC0), called by the
// kinds of places that they stand for. `make sprite` draws them (importer/sprite)
// as signed distance fields, so that a style gives them any colour.
package sprite

import (
	"embed"
	"slices"
)

// Name is what the files are called, without what follows in their names: the
// pixel ratio and the kind of file.
const Name = "sprite"

//go:embed sprite.png sprite.json sprite@2x.png sprite@2x.json
var files embed.FS

// Files lists the names of the files.
func Files() []string {
	return []string{"sprite.json", "sprite.png", "sprite@2x.json", "sprite@2x.png"}
}

// File gives one of them, false where there is none of the name.
func File(name string) ([]byte, bool) {
	if !slices.Contains(Files(), name) {
		return nil, false
	}
	data, err := files.ReadFile(name)
	return data, err == nil
}
