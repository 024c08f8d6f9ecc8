package tiles

import (
	"strings"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/index/sprite"
)

// Sprite gives a file of the icons of styles and its media type; NotFound names
// the files there are.
func Sprite(file string) (data []byte, media string, err error) {
	data, ok := sprite.File(file)
	switch {
	case !ok:
		return nil, "", fault.New(fault.NotFound, "sprite file %q is not served here; served are: %s", file, strings.Join(sprite.Files(), ", "))
	case strings.HasSuffix(file, ".json"):
		return data, "application/json", nil
	}
	return data, "image/png", nil
}
