package zones

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/index/zone"
)

// freshYears is for how many years a comparison with the source counts: zones are tightened,
// moved and abolished from one year to the next.
const freshYears = 2

// Outdated returns a sentence about a zone whose rules or boundary were last compared more than
// two years before now, with the day; "" for other zones, and for those of the map, whose day is
// not known.
func Outdated(z *zone.Zone, now time.Time) string {
	oldest := now.AddDate(-freshYears, 0, 0).Format(dayForm)
	boundary, rules := z.Boundary.Checked, ""
	if z.Charges != nil && len(z.Rules) > 0 {
		rules = z.Charges.Checked
	}
	old := func(day string) bool { return day != "" && day < oldest }
	var what string
	switch {
	case old(boundary) && boundary == rules:
		what = "its rules and its boundary were last compared on " + rules
	case old(boundary) && old(rules):
		what = fmt.Sprintf("its rules were last compared on %s and its boundary on %s", rules, boundary)
	case old(rules):
		what = "its rules were last compared on " + rules
	case old(boundary):
		what = "its boundary was last compared on " + boundary
	default:
		return ""
	}
	return what + ": it may have changed or ended since"
}

// mostNamed is the limit of zones that a text names.
const mostNamed = 5

// names lists the first of some ids in one text, and counts the others.
func names(outdated []string) string {
	all := slices.Compact(slices.Sorted(slices.Values(outdated)))
	more := ""
	if len(all) > mostNamed {
		more = fmt.Sprintf(" and %d more", len(all)-mostNamed)
		all = all[:mostNamed]
	}
	return strings.Join(all, ", ") + more
}

// outdatedText returns the warning about zones with outdated data, by their ids.
func outdatedText(ids []string) string {
	return fmt.Sprintf("what is known of these zones was last compared more than %d years ago, and they may have changed or ended: %s", freshYears, names(ids))
}

// Warning returns the warning about outdated zones that the routes run through; "" where there
// is none.
func (b *Block) Warning() string {
	var ids []string
	for i := range b.Zones {
		if b.Zones[i].Outdated != "" {
			ids = append(ids, b.Zones[i].ID)
		}
	}
	if ids == nil {
		return ""
	}
	return outdatedText(ids)
}

// Warning returns the warning about outdated zones that were avoided; "" where there is none.
func (a *Avoidance) Warning() string {
	if a.outdated == nil {
		return ""
	}
	return outdatedText(a.outdated)
}

// Summary returns a line with the number of zones of a list that are outdated, their ids and the
// oldest day; "" where none is.
func Summary(all []zone.Zone, now time.Time) string {
	var ids []string
	oldest := ""
	for i := range all {
		z := &all[i]
		if Outdated(z, now) == "" {
			continue
		}
		ids = append(ids, z.ID)
		for _, day := range []string{z.Boundary.Checked, checked(z.Charges)} {
			if day != "" && (oldest == "" || day < oldest) {
				oldest = day
			}
		}
	}
	if ids == nil {
		return ""
	}
	were := "were"
	if len(ids) == 1 {
		were = "was"
	}
	return fmt.Sprintf("%d of %s %s last compared more than %d years ago, the oldest on %s, and may have changed or ended: %s", len(ids), fault.Counted(len(all), "zone", "zones"), were, freshYears, oldest, names(ids))
}

func checked(s *zone.Source) string {
	if s == nil {
		return ""
	}
	return s.Checked
}

// Warn returns the warning with the text of Block.Warning or Avoidance.Warning; nil for "".
func Warn(text string) []engine.Warning {
	if text == "" {
		return nil
	}
	return []engine.Warning{{Code: engine.WarnOutdated, Text: text}}
}
