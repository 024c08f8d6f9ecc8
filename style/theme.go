// Package style makes MapLibre styles of small documents, themes: colours by
// name, a few sizes, and what is shown. A theme says only where it differs from
// the theme it extends.
package style

import (
	"embed"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

// Theme is a theme as it is written. What is left out is as in the theme that
// it extends.
type Theme struct {
	Name        string             `json:"name,omitempty"`
	Description string             `json:"description,omitempty"`
	Extends     string             `json:"extends,omitempty"` // a built-in theme, or a hosted one with or without its version; Default where empty
	Colours     map[string]string  `json:"colours,omitempty"` // by the names of ColourNames, as #rrggbb
	Roads       Roads              `json:"roads,omitzero"`
	Labels      Labels             `json:"labels,omitzero"`
	Widths      map[string]float64 `json:"widths,omitempty"` // of lines by the names of Classes, 1 as usual; 0 leaves a class out
	Sizes       map[string]float64 `json:"sizes,omitempty"`  // of names by the names of Named, 1 as usual
	Show        map[string]bool    `json:"show,omitempty"`   // by the names of Groups
	Kinds       map[string]bool    `json:"kinds,omitempty"`  // points of interest by the names of Kinds; false leaves a kind out

	layers []Layer // of a built-in theme of an earlier version, as it was compiled
}

// Roads is how roads are drawn.
type Roads struct {
	Width  *float64 `json:"width,omitempty"`  // of all roads, 1 as usual
	Casing *float64 `json:"casing,omitempty"` // of the lines at their sides, 1 as usual, 0 none
}

// Labels is how names are written.
type Labels struct {
	Size     *float64 `json:"size,omitempty"`     // of all, 1 as usual
	Halo     *float64 `json:"halo,omitempty"`     // of the line round their letters, 1 as usual, 0 none
	Language *string  `json:"language,omitempty"` // where the map has names in it; "" is the local name
	Font     *string  `json:"font,omitempty"`     // a family of fonts; letters that it lacks, and all with "", are of the built-in fonts
}

// Default is the theme that others extend where they name none.
const Default = "light"

// MaxChain is how many themes may extend one another, but for those that are built in.
const MaxChain = 8

//go:embed themes/*.json
var files embed.FS

// Names lists the built-in themes in the order of the alphabet.
func Names() []string {
	entries, _ := files.ReadDir("themes") // embedded: it is there
	names := make([]string, 0, len(entries))
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".json"))
	}
	return names
}

// Builtin returns a built-in theme, which nobody may change, by its name with or without
// @version; without, the newest. A version that is not the newest is compiled as it was.
func Builtin(spec string) (*Theme, bool) {
	name, version, pinned := strings.Cut(spec, "@")
	themes := builtin()
	if pinned && version != BuiltinVersion {
		themes = earlier()[version]
	}
	t := themes[name]
	return t, t != nil
}

// builtin reads the built-in themes, once.
var builtin = sync.OnceValue(func() map[string]*Theme {
	themes := map[string]*Theme{}
	for _, name := range Names() {
		raw, err := files.ReadFile("themes/" + name + ".json")
		if err != nil {
			continue
		}
		if t, problems := Read(raw); len(problems) == 0 {
			themes[name] = t
		}
	}
	return themes
})

// ResolvedTheme is a theme with all that it extends put together.
type ResolvedTheme struct {
	name     string
	palette  palette
	show     map[string]bool
	road     float64
	casing   float64
	size     float64
	halo     float64
	Language string // of the labels where the map has names in it
	font     string
	widths   map[string]float64
	sizes    map[string]float64
	kinds    map[string]bool
	layers   []Layer
}

// Name returns the theme's.
func (l *ResolvedTheme) Name() string { return l.name }

// Theme writes the look as a theme that leaves nothing out and extends none.
func (l *ResolvedTheme) Theme() *Theme {
	language, font := l.Language, l.font
	return &Theme{
		Name: l.name, Colours: Colours(l), Widths: maps.Clone(l.widths), Sizes: maps.Clone(l.sizes), Show: maps.Clone(l.show), Kinds: maps.Clone(l.kinds),
		Roads: Roads{Width: &l.road, Casing: &l.casing}, Labels: Labels{Size: &l.size, Halo: &l.halo, Language: &language, Font: &font},
	}
}

// Show has a group shown, or left out.
func (l *ResolvedTheme) Show(group string, shown bool) { l.show[group] = shown }

// Hide leaves a group out.
func (l *ResolvedTheme) Hide(group string) { l.show[group] = false }

// Resolve puts a theme together with those that it extends. named finds a theme that is no
// built-in one; nil finds none. A chain that leads back to itself, that is longer than
// MaxChain or that names an unknown theme is a Problem.
func Resolve(t *Theme, named func(spec string) (*Theme, bool)) (*ResolvedTheme, []Problem) {
	chain := []*Theme{t}
	seen := map[string]bool{}
	for at := t; at.Extends != ""; at = chain[len(chain)-1] {
		if seen[at.Extends] {
			return nil, []Problem{{"extends", fmt.Sprintf("themes extend one another in a circle through %q", at.Extends)}}
		}
		seen[at.Extends] = true
		base, ok := Builtin(at.Extends)
		if !ok && len(chain) >= MaxChain {
			return nil, []Problem{{"extends", fmt.Sprintf("more than %d themes extend one another", MaxChain)}}
		}
		if !ok && named != nil {
			base, ok = named(at.Extends)
		}
		if !ok {
			return nil, []Problem{{"extends", Absent(at.Extends)}}
		}
		chain = append(chain, base)
	}
	if base, ok := Builtin(Default); ok {
		chain = append(chain, base)
	}
	l := &ResolvedTheme{
		name: t.Name, layers: t.layers, road: 1, casing: 1, size: 1, halo: 1,
		widths: each(Classes(), 1.0), sizes: each(Named(), 1.0), show: map[string]bool{}, kinds: each(Kinds(), true),
	}
	for _, group := range Groups {
		l.show[group.Name] = group.Usual
	}
	colours := map[string]string{}
	for _, c := range slices.Backward(chain) {
		for name, as := range alike() {
			if colour, ok := c.Colours[as]; ok {
				colours[name] = colour
			}
		}
		maps.Copy(colours, c.Colours)
		maps.Copy(l.widths, c.Widths)
		maps.Copy(l.sizes, c.Sizes)
		maps.Copy(l.show, c.Show)
		maps.Copy(l.kinds, c.Kinds)
		set(&l.road, c.Roads.Width)
		set(&l.casing, c.Roads.Casing)
		set(&l.size, c.Labels.Size)
		set(&l.halo, c.Labels.Halo)
		set(&l.Language, c.Labels.Language)
		set(&l.font, c.Labels.Font)
	}
	l.palette = paletteOf(colours)
	return l, nil
}

func set[T any](to, from *T) {
	if from != nil {
		*to = *from
	}
}

// each gives names one value.
func each[T any](names []string, v T) map[string]T {
	out := map[string]T{}
	for _, name := range names {
		out[name] = v
	}
	return out
}
