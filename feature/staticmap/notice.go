package staticmap

import (
	"html"
	"math"
	"regexp"
	"strings"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"

	"github.com/waygate/waygate/fault"
)

// mark is the service's own.
const mark = "Waygate"

// What the notice is written with, as the page has it.
const (
	noticeFont    = 10.0 // pixels
	noticePadding = 4.0  // pixels at each end
	noticeHeight  = 16   // pixels
)

// Least widths in pixels of images that name more than the map's data, however
// short that is here: what fits one deployment fits all.
const (
	leastOutdoor   = 253
	leastSatellite = 284
	leastBoth      = 389
)

// Notice is the line that names whose data and whose service an image is.
type Notice struct {
	Text   string  `json:"text"`
	Width  float64 `json:"width"`  // pixels
	Height float64 `json:"height"` // pixels
}

var noticeFace = sync.OnceValues(func() (font.Face, error) {
	letters, err := opentype.Parse(goregular.TTF)
	if err != nil {
		return nil, err
	}
	return opentype.NewFace(letters, &opentype.FaceOptions{Size: noticeFont, DPI: 72, Hinting: font.HintingNone})
})

// measuring guards the face, which is for one goroutine at a time.
var measuring sync.Mutex

var tags = regexp.MustCompile(`<[^>]*>`)

// NoticeOf makes the notice of an attribution, which may be HTML. Where that does
// not fit an image of a width in pixels it is the shortest that may stand for it.
func NoticeOf(attribution string, width int) (Notice, error) {
	text := mark
	if plain := strings.Join(strings.Fields(html.UnescapeString(tags.ReplaceAllString(attribution, ""))), " "); plain != "" {
		text += " · " + plain
	}
	face, err := noticeFace()
	if err != nil {
		return Notice{}, err
	}
	measuring.Lock()
	defer measuring.Unlock()
	n := Notice{Text: text, Width: measure(face, text), Height: noticeHeight}
	if n.Width > float64(width) {
		n.Text = strings.ReplaceAll(text, " contributors", "") // as OpenStreetMap's guidelines allow
		n.Width = measure(face, n.Text)
	}
	return n, nil
}

// measure returns the width of a notice in pixels.
func measure(face font.Face, text string) float64 {
	return math.Ceil(float64(font.MeasureString(face, text))/64 + 2*noticePadding)
}

// fits refuses an image without room for its notice.
func (r *Request) fits(n Notice) error {
	least := int(n.Width)
	switch outdoor := r.Style == "outdoor"; {
	case r.Satellite && outdoor:
		least = max(least, leastBoth)
	case r.Satellite:
		least = max(least, leastSatellite)
	case outdoor:
		least = max(least, leastOutdoor)
	}
	var bad []fault.Violation
	if r.Width < least {
		bad = append(bad, fault.Violation{Location: r.sized("width"), Value: r.Width, Message: "is too narrow for the notice that is always drawn, “" + n.Text + "”: the minimum width is " + pixels(least)})
	}
	if r.Height < noticeHeight {
		bad = append(bad, fault.Violation{Location: r.sized("height"), Value: r.Height, Message: "is too low for the notice that is always drawn: the minimum height is " + pixels(noticeHeight)})
	}
	return fault.Invalid(bad...)
}
