package style

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// MaxDocument is how many bytes a theme may have, and MaxProblems how many problems of one are
// given: each may name all members of an object.
const (
	MaxDocument = 64 << 10
	MaxProblems = 50
)

// Problem is an error in a theme: where, as in `colours.water`, and which.
type Problem struct {
	Path    string `json:"path" doc:"member of the theme, such as colours.water"`
	Message string `json:"message"`
}

//nolint:gochecknoglobals // constant patterns
var (
	colourPattern   = regexp.MustCompile(`^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$`)
	specPattern     = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*(@[1-9][0-9]{0,8})?$`)
	fontPattern     = regexp.MustCompile(`^([A-Za-z0-9]+([ -][A-Za-z0-9]+)*)?$`)
	languagePattern = regexp.MustCompile(`^([A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*)?$`)
)

// reader walks a theme and gathers what is wrong with it.
type reader struct{ problems []Problem }

func (r *reader) wrong(path, format string, args ...any) {
	if len(r.problems) == MaxProblems {
		return
	}
	r.problems = append(r.problems, Problem{path, fmt.Sprintf(format, args...)})
}

// Read reads a theme. With any Problem there is no theme; the first MaxProblems are given. What
// raw may be at most is for the caller to bound; beyond MaxDocument it is no theme.
func Read(raw []byte) (*Theme, []Problem) {
	var doc map[string]json.RawMessage
	if err := json.Unmarshal(raw, &doc); err != nil || doc == nil {
		return nil, []Problem{{"", "must be a JSON object"}}
	}
	if doc["layers"] != nil && doc["sources"] != nil {
		return nil, []Problem{{"layers", "this is a MapLibre style, not a theme: its layers cannot be published. A theme changes a built-in one by colours, roads, widths, labels, sizes, show and kinds. A style of your own can be served from your site and draw the tiles of /tiles/{territory}/tiles.json"}}
	}
	if len(raw) > MaxDocument {
		return nil, []Problem{{"", fmt.Sprintf("a theme of %d bytes; at most %d are taken", len(raw), MaxDocument)}}
	}
	r, t := &reader{}, &Theme{}
	r.members("", doc, map[string]func(path string, raw json.RawMessage){
		"name":        func(path string, raw json.RawMessage) { r.text(path, raw, 120, &t.Name) },
		"description": func(path string, raw json.RawMessage) { r.text(path, raw, 500, &t.Description) },
		"extends": func(path string, raw json.RawMessage) {
			if r.text(path, raw, 140, &t.Extends) && !specPattern.MatchString(t.Extends) {
				r.wrong(path, "must be the name of a theme, with or without @version")
			}
		},
		"colours": func(path string, raw json.RawMessage) { t.Colours = r.colours(path, raw) },
		"roads": func(path string, raw json.RawMessage) {
			r.object(path, raw, map[string]func(string, json.RawMessage){
				"width":  func(path string, raw json.RawMessage) { t.Roads.Width = r.readNumber(path, raw, 0.25, 4) },
				"casing": func(path string, raw json.RawMessage) { t.Roads.Casing = r.readNumber(path, raw, 0, 4) },
			})
		},
		"labels": func(path string, raw json.RawMessage) {
			r.object(path, raw, map[string]func(string, json.RawMessage){
				"size":     func(path string, raw json.RawMessage) { t.Labels.Size = r.readNumber(path, raw, 0.5, 2) },
				"halo":     func(path string, raw json.RawMessage) { t.Labels.Halo = r.readNumber(path, raw, 0, 3) },
				"language": func(path string, raw json.RawMessage) { t.Labels.Language = r.language(path, raw) },
				"font":     func(path string, raw json.RawMessage) { t.Labels.Font = r.font(path, raw) },
			})
		},
		"widths": func(path string, raw json.RawMessage) { t.Widths = r.factors(path, raw, Classes(), 0, 4) },
		"sizes":  func(path string, raw json.RawMessage) { t.Sizes = r.factors(path, raw, Named(), 0.5, 2) },
		"show":   func(path string, raw json.RawMessage) { t.Show = r.switches(path, raw, groupNames()) },
		"kinds":  func(path string, raw json.RawMessage) { t.Kinds = r.switches(path, raw, Kinds()) },
	})
	if len(r.problems) > 0 {
		return nil, r.problems
	}
	return t, nil
}

// members passes every member of an object to what reads it, in order; a member
// that nothing reads is a problem.
func (r *reader) members(path string, doc map[string]json.RawMessage, known map[string]func(string, json.RawMessage)) {
	for _, key := range slices.Sorted(maps.Keys(doc)) {
		if len(r.problems) == MaxProblems {
			return
		}
		at := strings.TrimPrefix(path+"."+key, ".")
		if read, ok := known[key]; ok {
			read(at, doc[key])
			continue
		}
		r.wrong(at, "no such member; known are %s", strings.Join(slices.Sorted(maps.Keys(known)), ", "))
	}
}

func (r *reader) object(path string, raw json.RawMessage, known map[string]func(string, json.RawMessage)) {
	var doc map[string]json.RawMessage
	if err := json.Unmarshal(raw, &doc); err != nil || doc == nil {
		r.wrong(path, "must be an object")
		return
	}
	r.members(path, doc, known)
}

func (r *reader) text(path string, raw json.RawMessage, most int, to *string) bool {
	if err := json.Unmarshal(raw, to); err != nil || string(raw) == "null" {
		r.wrong(path, "must be a text")
		return false
	}
	if n := utf8.RuneCountInString(*to); n > most {
		r.wrong(path, "has %d characters; at most %d are taken", n, most)
		return false
	}
	return true
}

func (r *reader) readNumber(path string, raw json.RawMessage, least, most float64) *float64 {
	var v *float64
	if err := json.Unmarshal(raw, &v); err != nil || v == nil || *v < least || *v > most {
		r.wrong(path, "must be a number from %g to %g", least, most)
		return nil
	}
	return v
}

func (r *reader) language(path string, raw json.RawMessage) *string {
	var v string
	if r.text(path, raw, 35, &v) && !languagePattern.MatchString(v) {
		r.wrong(path, "must be a language such as cy or pt-BR, or empty for local names")
	}
	return &v
}

func (r *reader) colours(path string, raw json.RawMessage) map[string]string {
	out := map[string]string{}
	known := map[string]func(string, json.RawMessage){}
	for _, name := range ColourNames() {
		known[name] = func(path string, raw json.RawMessage) {
			var c string
			if err := json.Unmarshal(raw, &c); err != nil || !colourPattern.MatchString(c) {
				r.wrong(path, "must be a colour such as #aacfe0")
				return
			}
			out[name] = sixDigits(c)
		}
	}
	r.object(path, raw, known)
	return out
}

// sixDigits spells a colour with six digits.
func sixDigits(c string) string {
	c = strings.ToLower(c)
	if len(c) == 4 {
		return "#" + strings.Repeat(c[1:2], 2) + strings.Repeat(c[2:3], 2) + strings.Repeat(c[3:4], 2)
	}
	return c
}

func groupNames() (names []string) {
	for _, group := range Groups {
		names = append(names, group.Name)
	}
	return names
}

// switches reads an object of true and false by some names.
func (r *reader) switches(path string, raw json.RawMessage, names []string) map[string]bool {
	out := map[string]bool{}
	known := map[string]func(string, json.RawMessage){}
	for _, name := range names {
		known[name] = func(path string, raw json.RawMessage) {
			var v *bool
			if err := json.Unmarshal(raw, &v); err != nil || v == nil {
				r.wrong(path, "must be true or false")
				return
			}
			out[name] = *v
		}
	}
	r.object(path, raw, known)
	return out
}

// factors reads an object of numbers by some names.
func (r *reader) factors(path string, raw json.RawMessage, names []string, least, most float64) map[string]float64 {
	out := map[string]float64{}
	known := map[string]func(string, json.RawMessage){}
	for _, name := range names {
		known[name] = func(path string, raw json.RawMessage) {
			if v := r.readNumber(path, raw, least, most); v != nil {
				out[name] = *v
			}
		}
	}
	r.object(path, raw, known)
	return out
}

// font reads the name of a family of fonts.
func (r *reader) font(path string, raw json.RawMessage) *string {
	var v string
	if r.text(path, raw, 60, &v) && !fontPattern.MatchString(v) {
		r.wrong(path, "must be a family of fonts such as Noto Sans, of letters, digits, spaces and hyphens, or empty for the built-in one")
	}
	return &v
}
