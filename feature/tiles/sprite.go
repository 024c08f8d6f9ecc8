package tiles

import (
	"strings"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/index/sprite"
)

// SpriteFile is a file of the icons of styles.
type SpriteFile struct {
	Data   []byte
	Media  string
	Pinned bool // the name has the version of the icons: another version has another name
}

// Sprite returns a file of the icons of styles; NotFound names the files there are.
func Sprite(name string) (SpriteFile, error) {
	plain, version := sprite.Plain(name)
	data, ok := sprite.File(plain)
	if !ok {
		return SpriteFile{}, fault.New(fault.NotFound, "sprite file %q is not served here; served are: %s", fault.Clip(name), strings.Join(sprite.Files(), ", "))
	}
	f := SpriteFile{data, "image/png", version == sprite.Version()}
	if strings.HasSuffix(plain, ".json") {
		f.Media = "application/json"
	}
	return f, nil
}
