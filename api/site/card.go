package site

import (
	"bytes"
	"fmt"
	"html/template"
	"math"
	"net/url"
	"strconv"
	"strings"
)

// Bounds of what a shared address shows in its preview.
const (
	maxSharedQuery = 8000 // bytes; a longer one has the usual preview
	maxMarks       = 26   // points that are marked, by the letters of the alphabet
	maxNameRunes   = 80   // of a point's name
	maxLine        = 2000 // bytes of an encoded line
)

// previewCard is how an address looks where it is shared: its title, and a picture of a map.
type previewCard struct {
	Title, Text string
	Image       string // address of the picture; "" has none
	Address     string // of the page
}

var cardTags = template.Must(template.New("card").Parse(
	`<meta property="og:type" content="website"><meta property="og:site_name" content="Waygate"><meta property="og:url" content="{{.Address}}">` +
		`<meta property="og:title" content="{{.Title}}"><meta property="og:description" content="{{.Text}}">` +
		`{{if .Image}}<meta property="og:image" content="{{.Image}}"><meta property="og:image:width" content="1200"><meta property="og:image:height" content="630">` +
		`<meta property="og:image:alt" content="{{.Title}}"><meta name="twitter:card" content="summary_large_image">{{end}}`))

// withCard returns a page with a preview in its head.
func withCard(page []byte, card previewCard) []byte {
	var tags bytes.Buffer
	if err := cardTags.Execute(&tags, card); err != nil {
		panic(err) // the template is part of the binary and a buffer takes all
	}
	return bytes.Replace(page, []byte("</head>"), append(tags.Bytes(), "</head>"...), 1)
}

// card returns the preview of an address of the explorer: with the points of its query
// (p=lon,lat;lon,lat, or here=lon,lat, and their names) and the line of its route (line,
// an encoded polyline of five decimals) on a map. What cannot be read is left out.
func (o root) card(raw string) previewCard {
	usual := previewCard{
		Title: "Waygate map explorer", Text: "Routes, places and maps of this Waygate server.", Address: o.websiteURL + "/",
	}
	if len(raw) > maxSharedQuery {
		return usual
	}
	query, err := url.ParseQuery(strings.ReplaceAll(raw, ";", "%3B"))
	if err != nil {
		return usual
	}
	marks, names := sharedPoints(query)
	if len(marks) == 0 {
		return usual
	}
	card := previewCard{Title: sharedTitle(names), Text: usual.Text, Address: usual.Address + "?" + query.Encode()}
	if !o.images {
		return card
	}
	image := url.Values{"size": {"1200x630"}, "markers": {strings.Join(marks, ";")}}
	line := query.Get("line")
	switch {
	case isEncodedLine(line):
		image.Set("route", line)
		image.Set("precision", "5")
	case len(marks) == 1:
		image.Set("center", strings.Join(strings.Split(marks[0], ",")[:2], ","))
		image.Set("zoom", "14")
	}
	card.Image = o.websiteURL + "/api/static-map?" + image.Encode()
	return card
}

// sharedPoints returns the points of a query as markers of a static map, and their names.
func sharedPoints(query url.Values) (marks, names []string) {
	called := strings.Split(query.Get("names"), ";")
	points := strings.Split(query.Get("p"), ";")
	if query.Get("p") == "" {
		called, points = []string{query.Get("called")}, []string{query.Get("here")}
	}
	for i, text := range points {
		at, ok := sharedPoint(text)
		if !ok || len(marks) == maxMarks {
			continue
		}
		marks = append(marks, at+","+string(rune('A'+len(marks))))
		name := ""
		if i < len(called) {
			name = shortened(called[i])
		}
		names = append(names, name)
	}
	return marks, names
}

// sharedPoint reads lon,lat and writes it again with six decimals at the most.
func sharedPoint(text string) (string, bool) {
	west, north, ok := strings.Cut(text, ",")
	lon, err := strconv.ParseFloat(west, 64)
	if !ok || err != nil || math.IsNaN(lon) || math.Abs(lon) > 180 {
		return "", false
	}
	lat, err := strconv.ParseFloat(north, 64)
	if err != nil || math.IsNaN(lat) || math.Abs(lat) > 90 {
		return "", false
	}
	return plainDegrees(lon) + "," + plainDegrees(lat), true
}

func plainDegrees(v float64) string {
	return strconv.FormatFloat(math.Round(v*1e6)/1e6, 'f', -1, 64)
}

// shortened returns the first runes of a name.
func shortened(name string) string {
	runes := []rune(strings.TrimSpace(name))
	if len(runes) > maxNameRunes {
		return string(runes[:maxNameRunes-1]) + "…"
	}
	return string(runes)
}

// sharedTitle names the ends of what is shared.
func sharedTitle(names []string) string {
	first, last := names[0], names[len(names)-1]
	switch {
	case len(names) > 1 && first != "" && last != "":
		return fmt.Sprintf("%s to %s", first, last)
	case len(names) > 1:
		return "A route on Waygate"
	case first != "":
		return first
	}
	return "A place on Waygate"
}

// isEncodedLine reports whether a text can be an encoded polyline.
func isEncodedLine(text string) bool {
	if len(text) < 4 || len(text) > maxLine {
		return false
	}
	return strings.IndexFunc(text, func(r rune) bool { return r < '?' || r > '~' }) < 0
}
