package world

import (
	"errors"
	"io/fs"
	"slices"
	"strings"

	"github.com/waygate/waygate/region"
)

// loss is something that routes are found without, which a region was built with and
// has not got, for the file that holds it is damaged.
type loss struct {
	name string // of the source
	why  string // for callers
	err  error  // for the log
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

// lossesOf lists what is lost with damaged files; not ok where a failure is of something
// else too, or of a file that routes need.
func lossesOf(err error) (list []loss, ok bool) {
	damages, ok := region.Damages(err)
	if !ok {
		return nil, false
	}
	all := sources()
	for _, d := range damages {
		i := slices.IndexFunc(all, func(s source) bool { return slices.Contains(s.sections, d.Section) })
		if i < 0 || !all[i].spare {
			return nil, false
		}
		list = append(list, lossOf(all[i].name, d))
	}
	return list, true
}

// sectionsOf are the sections of what is lost.
func sectionsOf(list []loss) (sections []string) {
	for _, s := range sources() {
		if slices.ContainsFunc(list, func(l loss) bool { return l.name == s.name }) {
			sections = append(sections, s.sections...)
		}
	}
	return sections
}

// without says what a region answers without, and why; "" for nothing.
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
