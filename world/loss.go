package world

import (
	"errors"
	"io/fs"
	"slices"
	"strings"

	"github.com/waygate/waygate/region"
)

// loss is a part of a region that routes can do without and that cannot be used, since its
// file is damaged.
type loss struct {
	name string // the name of its source
	why  string // why, for callers
	err  error  // why, for the log
}

func lossOf(name string, err error) loss {
	var newer *region.NewerFormatError
	why := "whose file is damaged or of another format"
	switch {
	case errors.Is(err, fs.ErrNotExist):
		why = "whose file is missing"
	case errors.As(err, &newer):
		why = "whose file has a newer format than this build reads"
	}
	return loss{name, why, err}
}

// lossesOf returns the parts that an error of damaged files concerns. It is not ok where
// the error concerns something else too, or a file that routes need.
func lossesOf(err error) (list []loss, ok bool) {
	damages, ok := region.Damages(err)
	if !ok {
		return nil, false
	}
	all := sources()
	for _, d := range damages {
		i := slices.IndexFunc(all, func(s source) bool { return slices.Contains(s.sections, d.Section) })
		if i < 0 || !all[i].optional {
			return nil, false
		}
		list = append(list, lossOf(all[i].name, d))
	}
	return list, true
}

// sectionsOf returns the sections of the parts.
func sectionsOf(list []loss) (sections []string) {
	for _, s := range sources() {
		if slices.ContainsFunc(list, func(l loss) bool { return l.name == s.name }) {
			sections = append(sections, s.sections...)
		}
	}
	return sections
}

// without returns a text that says which parts a region answers without, and why; "" for
// none.
func without(id string, list []loss) string {
	if len(list) == 0 {
		return ""
	}
	var said []string
	for _, l := range list {
		if text := l.name + ", " + l.why; !slices.Contains(said, text) {
			said = append(said, text)
		}
	}
	return "region " + id + " answers without its " + strings.Join(said, ", and its ") + ": import it again"
}
