// Package osrm answers the services that stand beside the route in OSRM's
// family: table, nearest, match and trip. Each reads its own URL, asks the
// engine for what it can do, and writes the answer in that family's form.
package osrm

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/body"
	"github.com/waygate/waygate/engine/compatible"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
)

// Codes of these services besides the family's own.
const (
	noSegment = "NoSegment"
	noTrips   = "NoTrips"
	noMatch   = "NoMatch"
)

// names lists the parameters of some sets, sorted.
func names(sets ...map[string]compatible.Reader) []string {
	var all []string
	for _, s := range sets {
		all = append(all, slices.Collect(maps.Keys(s))...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// unweighed lists the parameters of a service that chooses no way between places.
func unweighed(all []string) []string {
	return slices.DeleteFunc(all, func(name string) bool { return slices.Contains(compatible.Preferences(), name) })
}

// hinted names the place of a refusal for want of a road as callers of this
// family know it, and adds what a swapped position would explain. list has the
// coordinates that the engine was asked of; nil is all.
func hinted(err error, locations []engine.Location, list []int, bounds geo.Bounds) error {
	var e *fault.Error
	if engine.Code(err) != engine.CodeNoSegment || !errors.As(err, &e) {
		return err
	}
	told := *e
	for i := range locations {
		for _, theirs := range []string{"locations", "sources"} {
			if rest, ok := strings.CutPrefix(told.Detail, fmt.Sprintf("%s[%d] ", theirs, i)); ok {
				told.Detail = fmt.Sprintf("coordinate %d %s", coordinate(list, i), rest)
			}
		}
	}
	for i, l := range locations {
		if hint := body.Swapped(l.Point, bounds); hint != "" {
			told.Detail += fmt.Sprintf("; coordinate %d: %s", coordinate(list, i), hint)
			break
		}
	}
	return &told
}

// missing refuses the first place that is not on the network.
func missing(all []engine.Snapped, asked []engine.Location, list []int, bounds geo.Bounds) error {
	for i := range all {
		if all[i].Miss == "" {
			continue
		}
		text := fmt.Sprintf("coordinate %d: %s", coordinate(list, i), all[i].Miss)
		if hint := body.Swapped(asked[i].Point, bounds); hint != "" {
			text += "; " + hint
		}
		return compatible.Refuse(noSegment, "%s", text)
	}
	return nil
}

// coordinate gives the place in the request of one in a list; nil is all.
func coordinate(list []int, i int) int {
	if list == nil {
		return i
	}
	return list[i]
}
