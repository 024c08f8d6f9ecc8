package style

import (
	"bytes"
	"compress/gzip"
	"embed"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

// BuiltinVersion is the newest version of the built-in themes. It is raised where any of them,
// or a layer that they compile to, changes: an address with a version answers the same for
// good. Every version is kept in a file of versions, which TestBuiltinVersion writes with
// -update.
const BuiltinVersion = "2"

//go:embed versions/*.json.gz
var kept embed.FS

// Kept is a built-in theme of one version: with all that it extends, and compiled.
type Kept struct {
	Theme  *Theme      `json:"theme"`
	Layers []KeptLayer `json:"layers"` // over the world, without anything of a region
}

// KeptLayer is a layer with the group that shows it.
type KeptLayer struct {
	Group string `json:"group,omitempty"`
	Layer
}

// Keep compiles a look for keeping.
func Keep(l *ResolvedTheme) Kept {
	k := Kept{Theme: l.Theme()}
	for _, d := range l.every(Surroundings{Boxes: [][4]float64{{}}}) {
		k.Layers = append(k.Layers, KeptLayer{d.group, d})
	}
	return k
}

// earlier reads every version that is kept, once: the built-in themes of each by their names.
var earlier = sync.OnceValue(func() map[string]map[string]*Theme {
	versions := map[string]map[string]*Theme{}
	files, _ := kept.ReadDir("versions") // embedded: it is there
	for _, f := range files {
		version := strings.TrimSuffix(f.Name(), ".json.gz")
		if themes, err := readVersion(version); err == nil {
			versions[version] = themes
		}
	}
	return versions
})

// Absent says in words that a spec names no built-in theme, or no version of one.
func Absent(spec string) string {
	name, version, pinned := strings.Cut(spec, "@")
	if pinned && slices.Contains(Names(), name) {
		var has []string
		for _, v := range slices.Sorted(maps.Keys(earlier())) {
			if earlier()[v][name] != nil {
				has = append(has, name+"@"+v)
			}
		}
		return fmt.Sprintf("the built-in theme %q has no version %q; there are %s", name, version, strings.Join(has, ", "))
	}
	return fmt.Sprintf("no style %q is hosted here; built in are %s", spec, strings.Join(Names(), ", "))
}

// Version returns the file of a version, as it is kept.
func Version(version string) ([]byte, error) {
	packed, err := kept.ReadFile("versions/" + version + ".json.gz")
	if err != nil {
		return nil, err
	}
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	_, err = out.ReadFrom(r)
	return out.Bytes(), err
}

func readVersion(version string) (map[string]*Theme, error) {
	raw, err := Version(version)
	if err != nil {
		return nil, err
	}
	var all map[string]Kept
	if err := json.Unmarshal(raw, &all); err != nil {
		return nil, fmt.Errorf("version %s of the built-in themes: %w", version, err)
	}
	themes := map[string]*Theme{}
	for name, k := range all {
		t := k.Theme
		for _, d := range k.Layers {
			d.group = d.Group
			t.layers = append(t.layers, d.Layer)
		}
		themes[name] = t
	}
	return themes, nil
}

// over returns kept layers over what lies round a region.
func over(layers []Layer, under Surroundings) []Layer {
	out := make([]Layer, 0, len(layers))
	for _, d := range layers {
		if d.Source == GlobeName {
			if under.WithoutWorld {
				continue
			}
			d.Filter = outside(d.Filter, under.Boxes)
		}
		out = append(out, d)
	}
	return out
}

// outside puts the boxes of a region in the place of those that a filter leaves out.
func outside(filter any, boxes [][4]float64) any {
	parts, ok := filter.([]any)
	if !ok {
		return filter
	}
	if len(parts) == 2 && parts[0] == "within" {
		return within(boxes)
	}
	parts = slices.Clone(parts)
	for i := range parts {
		parts[i] = outside(parts[i], boxes)
	}
	return parts
}
