// Package sprite has the icons of map styles: those of Maki (CC0), named after the
// kinds of places that they stand for. `make sprite` draws them (importer/sprite) as
// signed distance fields, so that a style can colour them.
package sprite

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"regexp"
	"slices"
	"sync"
)

// Name is the beginning of the files' names; the pixel ratio and the kind of file
// follow.
const Name = "sprite"

//go:embed sprite.png sprite.json sprite@2x.png sprite@2x.json
var files embed.FS

// Files lists the names of the files.
func Files() []string {
	return []string{"sprite.json", "sprite.png", "sprite@2x.json", "sprite@2x.png"}
}

// File returns a file, false if there is none of the name.
func File(name string) ([]byte, bool) {
	if !slices.Contains(Files(), name) {
		return nil, false
	}
	data, err := files.ReadFile(name)
	return data, err == nil
}

// Version is eight hexadecimal digits that change with any of the files.
var Version = sync.OnceValue(func() string {
	sum := sha256.New()
	for _, name := range Files() {
		data, _ := files.ReadFile(name) // embedded: it is there
		sum.Write(data)
	}
	return hex.EncodeToString(sum.Sum(nil)[:4])
})

// Pinned returns Name with the version, as styles refer to the files.
func Pinned() string { return Name + "-" + Version() }

var versioned = regexp.MustCompile("^" + Name + "-([0-9a-f]{8})([@.].*)$")

// Plain splits the name of a file into the name without a version and the version, ""
// if it has none. The version may be an earlier one.
func Plain(name string) (plain, version string) {
	if m := versioned.FindStringSubmatch(name); m != nil {
		return Name + m[2], m[1]
	}
	return name, ""
}
