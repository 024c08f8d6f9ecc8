package heritage

import (
	"fmt"
	"math"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/geo/corridor"
)

// Problem is one fault of a corridor.
type Problem struct {
	Corridor string // its id, or its number where it has none
	Entry    string // its id, or its number where it has none; "" is of the corridor
	Where    string // the member
	What     string
}

func (p Problem) String() string {
	at := "corridor " + p.Corridor + ": "
	if p.Entry != "" {
		at += "entry " + p.Entry + ": "
	}
	return at + p.Where + " " + p.What
}

// mostProblems is the limit of problems that a check returns.
const mostProblems = 100

var (
	validID = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,78}[a-z0-9])?$`)
	// A position beside a road proves neither the side of a turn-by-turn traveller nor that
	// something can be seen, so that no text may claim either.
	claimsView = regexp.MustCompile(`(?i)\b(?:(?:on|to) (?:your|the|our) (?:left|right)|(?:left|right)[- ]hand|(?:you|we) (?:can |will |may |should )?see|you'll see|visible|in view|look (?:left|right|up|out|for)|in front of you|just ahead)\b`)
)

// Check returns the problems of corridors that belong together, a hundred at the most.
func Check(all []Corpus) (problems []Problem) {
	corridors, entries := map[string]bool{}, map[string]string{}
	sum := 0
	for i := range all {
		c := checker{corpus: &all[i], name: all[i].Corridor.ID, entries: entries}
		if c.name == "" {
			c.name = fmt.Sprintf("number %d", i)
		}
		if corridors[c.corpus.Corridor.ID] {
			c.add("", "id", "is that of another corridor too")
		}
		corridors[c.corpus.Corridor.ID] = true
		if sum += len(c.corpus.Entries); sum > MostOfRegion {
			c.add("", "entries", "and those of the corridors before it are %d of at most %d of a region", sum, MostOfRegion)
		}
		c.check()
		problems = append(problems, c.problems...)
		if len(problems) >= mostProblems {
			return problems[:mostProblems]
		}
	}
	return problems
}

type checker struct {
	corpus   *Corpus
	name     string
	entries  map[string]string // the corridor of each entry, by id
	problems []Problem
}

func (c *checker) add(entry, where, format string, args ...any) {
	c.problems = append(c.problems, Problem{c.name, entry, where, fmt.Sprintf(format, args...)})
}

func (c *checker) check() {
	r := &c.corpus.Corridor
	c.id("", r.ID)
	c.words("", "name", r.Name, MostWords)
	c.words("", "road", r.Road, MostWords)
	if day, err := time.Parse(time.DateOnly, c.corpus.ReviewedOn); err != nil || day.Year() < 1900 {
		c.add("", "reviewed_on", "is %s: must be a day, YYYY-MM-DD", shown(c.corpus.ReviewedOn))
	}
	if n := len(c.corpus.Attribution); n == 0 || n > 20 {
		c.add("", "attribution", "has %d texts: must have 1 to 20", n)
	}
	for _, text := range c.corpus.Attribution {
		c.words("", "attribution", text, MostWords)
	}
	switch n := len(c.corpus.Entries); {
	case n == 0:
		c.add("", "entries", "is missing or empty")
	case n > MostEntries:
		c.add("", "entries", "has %d of at most %d", n, MostEntries)
		return
	}
	line := c.line()
	for i := range c.corpus.Entries {
		if len(c.problems) >= mostProblems {
			return
		}
		c.entry(i, line)
	}
}

// line checks the corridor's line, and returns it made ready; nil where it is wrong.
func (c *checker) line() *corridor.Corridor {
	given := c.corpus.Corridor.Line
	if n := len(given); n < 2 || n > MostPositions {
		c.add("", "line", "has %d positions: must have 2 to %d", n, MostPositions)
		return nil
	}
	line := make([]geo.Point, len(given))
	for i, p := range given {
		if line[i] = (geo.Point{Lon: p[0], Lat: p[1]}); !line[i].Valid() {
			c.add("", "line", "leaves the globe at position %d: longitude stands before latitude", i)
			return nil
		}
	}
	if geo.Length(line) == 0 {
		c.add("", "line", "has no length")
		return nil
	}
	return corridor.New(line)
}

func (c *checker) entry(i int, line *corridor.Corridor) {
	e := &c.corpus.Entries[i]
	name := e.ID
	if name == "" {
		name = fmt.Sprintf("number %d", i)
	}
	c.id(name, e.ID)
	if other, taken := c.entries[e.ID]; taken {
		c.add(name, "id", "is that of another entry too, of corridor %s", other)
	}
	c.entries[e.ID] = c.name
	c.words(name, "text", e.Text, MostText)
	if claim := claimsView.FindString(e.Text); claim != "" {
		c.add(name, "text", "says %q: no line may claim a side of the road or that something can be seen", claim)
	}
	c.words(name, "subject", e.Subject, MostWords)
	if !slices.Contains(Bases, e.Basis) {
		c.add(name, "basis", "is %s: must be one of %s", shown(e.Basis), strings.Join(Bases, ", "))
	}
	if len(e.PlaqueIDs) > 20 {
		c.add(name, "plaque_ids", "has %d of at most 20", len(e.PlaqueIDs))
	}
	for _, id := range e.PlaqueIDs {
		c.words(name, "plaque_ids", id, MostWords)
	}
	if u, err := url.Parse(e.Source); e.Source == "" || err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || len(e.Source) > 500 {
		c.add(name, "source", "is %s: must be the http or https address of what the text was checked against", shown(e.Source))
	}
	c.words(name, "licence", e.Licence, MostWords)
	c.words(name, "reviewer", e.Reviewer, MostWords)
	if d := e.Direction; d != nil && !(*d >= 0 && *d <= 360) {
		c.add(name, "direction_deg", "is %g: must be 0 to 360", *d)
	}
	switch at := e.At(); {
	case !at.Valid() || at == geo.Point{}:
		c.add(name, "lat and lon", "are %g and %g: must be a position on the globe, and not 0 and 0", e.Lat, e.Lon)
	case line != nil && len(line.Passes(at, MostOffset, nil, nil)) == 0:
		c.add(name, "lat and lon", "are %g and %g, %s from the corridor's line: must be within %d m of it%s", e.Lat, e.Lon, away(line, at), MostOffset, swapped(line, at))
	}
}

// away words the distance of a place from a line.
func away(line *corridor.Corridor, at geo.Point) string {
	metres := distance(line, at)
	if metres >= 1000 {
		return fmt.Sprintf("%.0f km", metres/1000)
	}
	return fmt.Sprintf("%.0f m", metres)
}

// swapped returns a hint where a place with latitude and longitude exchanged lies near the line.
func swapped(line *corridor.Corridor, at geo.Point) string {
	other := geo.Point{Lon: at.Lat, Lat: at.Lon}
	if other.Valid() && distance(line, other) < 5000 {
		return "; are lat and lon swapped?"
	}
	return ""
}

// distance returns about how many metres a place is from a line.
func distance(line *corridor.Corridor, at geo.Point) float64 {
	const plane = 5000 // metres within which a plane is near enough to the globe
	near, far := math.Inf(1), math.Inf(1)
	points := line.Line()
	for i := 1; i < len(points); i++ {
		_, _, square := geo.Nearest(at, points[i-1], points[i])
		near, far = min(near, math.Sqrt(square)), min(far, geo.Distance(at, points[i]))
	}
	if near < plane {
		return near
	}
	return far
}

// id checks an id.
func (c *checker) id(entry, id string) {
	if !validID.MatchString(id) {
		c.add(entry, "id", "is %s: must be 1 to 80 lower-case letters, digits and hyphens", shown(id))
	}
}

// words checks a text for people, of one line.
func (c *checker) words(entry, where, text string, most int) {
	n := utf8.RuneCountInString(text)
	switch {
	case strings.TrimSpace(text) == "":
		c.add(entry, where, "is missing")
	case !utf8.ValidString(text) || strings.ContainsFunc(text, unicode.IsControl):
		c.add(entry, where, "has control characters or is not UTF-8")
	case strings.TrimSpace(text) != text:
		c.add(entry, where, "begins or ends with white space")
	case n > most:
		c.add(entry, where, "has %d characters of at most %d", n, most)
	case strings.ContainsAny(text, "<>") && where == "text":
		c.add(entry, where, "has markup: it must be plain text")
	}
}

// shown returns a value cut for a message.
func shown(text string) string {
	if text == "" {
		return "missing"
	}
	if len(text) > 60 {
		text = strings.ToValidUTF8(text[:60], "") + "…"
	}
	return fmt.Sprintf("%q", text)
}
