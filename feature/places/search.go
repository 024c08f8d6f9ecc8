package places

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
)

// Limits of a search.
const (
	MostFound    = 50  // places that one search gives
	UsualFound   = 10  // where nothing is said
	LongestQuery = 200 // characters
	mostWords    = 12  // of a query
	wordsOfPlace = 64  // of a place that it is found by, those of its name first
)

// Query describes a search. Text is required.
type Query struct {
	Text     string
	Category string     // what places must be; "" is anything
	Near     *geo.Point // what is near comes earlier; nil is nowhere
	Limit    int        // 0 is UsualFound
}

// Hit is a place that was found.
type Hit struct {
	Place  *Place
	JSON   []byte  // the place, as a set has it
	Score  float64 // of a search, 0 to 1
	Metres float64 // from the point asked for, straight; NaN without one
}

// word is one that a place is found by.
type word struct {
	text   string
	weight float64 // of what it stands in: the name, or less
}

// entry is a place of a set, ready to be searched.
type entry struct {
	Place
	json       []byte
	words      []word
	name       string // its words
	categories []string
}

// set is a key's places. It does not change.
type set struct {
	key, version string
	meta         Meta
	text         []byte    // the list as the database has it, which the entries' JSON is part of
	checked      time.Time // when the database had no newer one
	ready        bool      // to be searched: it has its entries
	entries      []entry
	bytes        int64
}

// at returns the set, found to be the newest at a time.
func (s *set) at(checked time.Time) *set {
	found := *s
	found.checked = checked
	return &found
}

func newSet(ctx context.Context, list []Place, parts []json.RawMessage) (*set, error) {
	s := &set{entries: make([]entry, len(list)), bytes: 1024}
	for i := range list {
		if i%readEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		e := &s.entries[i]
		e.Place, e.json = list[i], parts[i]
		name := words(e.Name, wordsOfPlace)
		e.name = strings.Join(name, " ")
		for _, w := range name {
			e.words = append(e.words, word{w, 1})
		}
		for _, c := range e.Categories {
			e.categories = append(e.categories, folded(c))
		}
		e.add(0.95, e.AltNames...)
		e.add(0.6, e.Street, e.Locality, e.Region, e.Postcode, strings.ReplaceAll(e.Postcode, " ", ""), e.CountryCode)
		e.add(0.5, e.Categories...)
		// The text and what was decoded of it, and the words with their headers.
		s.bytes += int64(2*len(e.json) + 400 + 40*len(e.words))
	}
	return s, nil
}

func (e *entry) add(weight float64, texts ...string) {
	for _, text := range texts {
		if len(e.words) >= wordsOfPlace {
			return // to fold texts takes longest
		}
		for _, w := range words(text, max(0, wordsOfPlace-len(e.words))) {
			e.words = append(e.words, word{w, weight})
		}
	}
}

// folded returns a text by its words.
func folded(text string) string { return strings.Join(words(text, mostWords), " ") }

// heedEvery is after how many places a search looks whether its caller waits.
const heedEvery = 256

// Search finds the places of a key that meet every word of a query, the best
// first. The last word may be the beginning of one, and a word of four letters or
// more may have one wrong. Of those that meet it as well, the nearer and the
// heavier come first.
func (s *Service) Search(ctx context.Context, key string, q *Query) ([]Hit, *Meta, error) {
	asked, err := q.words()
	if err != nil {
		return nil, nil, err
	}
	in, err := s.set(ctx, key)
	if err != nil {
		return nil, nil, err
	}
	effort := engine.Estimate{Kind: "places search", Work: time.Duration(len(in.entries)*len(asked)) * askedNanos, Bytes: 1 << 20, Cores: 1}
	hits, err := engine.WorkFor(ctx, effort, func(ctx context.Context) ([]Hit, error) { return in.search(ctx, asked, q) })
	return hits, &in.meta, err
}

// askedNanos is about what it takes to compare a place with a word.
const askedNanos = 300

// search finds the places of a set that meet every word asked for.
func (s *set) search(ctx context.Context, asked []string, q *Query) ([]Hit, error) {
	category, whole := folded(q.Category), strings.Join(asked, " ")
	hits := best{limit: cmp.Or(q.Limit, UsualFound)}
	for i := range s.entries {
		e := &s.entries[i]
		if i%heedEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if category != "" && !slices.Contains(e.categories, category) {
			continue
		}
		text := e.meets(asked)
		if text == 0 {
			continue
		}
		if e.name == whole {
			text = 1
		}
		h := Hit{Place: &e.Place, JSON: e.json, Metres: math.NaN(), Score: 0.8 * text}
		if e.Importance != nil {
			h.Score += 0.1 * *e.Importance / (1 + *e.Importance)
		}
		if q.Near != nil {
			h.Metres = geo.Distance(*q.Near, e.Point())
			h.Score += 0.1 / (1 + h.Metres/nearby)
		}
		hits.add(h)
	}
	return hits.hits, nil
}

// nearby is the distance in metres that halves what nearness adds to a score.
const nearby = 5000

// meets returns how well a place meets all words of a query, 0 to 1: by its best
// word for each, and less for words of its name that nobody asked for.
func (e *entry) meets(asked []string) float64 {
	sum := 0.0
	for i, w := range asked {
		best := 0.0
		for j := range e.words {
			if v := e.words[j].weight; v > best {
				best = max(best, v*likeness(w, e.words[j].text, i == len(asked)-1))
			}
		}
		if best == 0 {
			return 0
		}
		sum += best
	}
	n := float64(len(asked))
	return sum / n * (0.9 + 0.1*min(1, n/float64(1+strings.Count(e.name, " "))))
}

// words returns the words of a query, or what is wrong with it.
func (q *Query) words() ([]string, error) {
	text := strings.TrimSpace(q.Text)
	bad := func(format string, args ...any) error {
		return fault.Invalid(fault.Violation{Location: "q", Value: q.Text, Message: fmt.Sprintf(format, args...)})
	}
	n := utf8.RuneCountInString(text)
	switch {
	case text == "":
		return nil, bad("is empty: name what to look for")
	case n > LongestQuery:
		return nil, bad("has %d characters and may have %d", n, LongestQuery)
	case strings.ContainsFunc(text, unicode.IsControl):
		return nil, bad("has control characters")
	}
	all := words(text, mostWords+1)
	switch {
	case len(all) == 0:
		return nil, bad("has no letters or digits to look for")
	case len(all) > mostWords:
		return nil, bad("has more than the %d words that are looked for", mostWords)
	}
	return all, nil
}

// best keeps the first so many hits: by score, then by distance, then as they came.
type best struct {
	hits  []Hit
	limit int
}

func (b *best) add(h Hit) {
	i, _ := slices.BinarySearchFunc(b.hits, h, func(a, h Hit) int {
		return cmp.Or(cmp.Compare(h.Score, a.Score), cmp.Compare(a.Metres, h.Metres), -1)
	})
	if i == b.limit {
		return
	}
	b.hits = slices.Insert(b.hits[:min(len(b.hits), b.limit-1)], i, h)
}

// Nearest returns the places of a key nearest to a point, straight.
func (s *Service) Nearest(ctx context.Context, key string, at geo.Point, limit int) ([]Hit, *Meta, error) {
	in, err := s.set(ctx, key)
	if err != nil {
		return nil, nil, err
	}
	hits := best{limit: cmp.Or(limit, UsualFound)}
	for i := range in.entries {
		e := &in.entries[i]
		hits.add(Hit{Place: &e.Place, JSON: e.json, Metres: geo.Distance(at, e.Point())})
	}
	return hits.hits, &in.meta, nil
}

// Of returns all places of a key in the order of the upload, or those that have one
// of some categories. They must not be changed.
func (s *Service) Of(ctx context.Context, key string, categories ...string) ([]*Place, error) {
	in, err := s.set(ctx, key)
	if err != nil {
		return nil, err
	}
	var wanted []string
	for _, c := range categories {
		wanted = append(wanted, folded(c))
	}
	var all []*Place
	for i := range in.entries {
		e := &in.entries[i]
		if len(wanted) == 0 || slices.ContainsFunc(e.categories, func(c string) bool { return slices.Contains(wanted, c) }) {
			all = append(all, &e.Place)
		}
	}
	return all, nil
}
