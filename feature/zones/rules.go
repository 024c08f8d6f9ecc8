// Package zones judges vehicles by the rules of clean-air zones: which zones a route runs through
// and what each charges or forbids at the time of arrival there, and which to avoid. It checks
// files of zones before they are served.
package zones

import (
	"fmt"
	"slices"
	"sync"
	"time"
	_ "time/tzdata" // so that zones are known on machines without the database

	"github.com/waygate/waygate/hours"
	"github.com/waygate/waygate/index/zone"
)

// Vehicle is a vehicle as rules distinguish it.
type Vehicle struct {
	Category string // one of Categories
	Fuel     string // one of Fuels
	Euro     int    // standard, 1 to 6; 0 where it has none
}

// Words of vehicles and rules.
var (
	Categories = []string{"car", "van", "minibus", "hgv", "bus", "coach", "taxi", "phv", "motorcycle", "motorhome"}
	Fuels      = []string{"petrol", "diesel", "electric", "hydrogen", "gas"}
	Effects    = []string{charge, ban, free}
	periods    = []string{"day", "hour", "entry"}
)

const (
	charge = "charge"
	ban    = "ban"
	free   = "free"
)

// NewestEuro is the highest standard there is rules for.
const NewestEuro = 6

// Verdict is the effect of a zone on a vehicle.
type Verdict string

// The verdicts, from the mildest.
const (
	Free    Verdict = "free"
	Unknown Verdict = "unknown"
	Charged Verdict = "charged"
	Banned  Verdict = "banned"
)

// Reason is the ground of a verdict.
type Reason string

// The reasons.
const (
	ByRule       Reason = "by_rule"             // a rule of the zone says so
	NotCovered   Reason = "vehicle_not_covered" // no rule is for such a vehicle
	StandardMet  Reason = "standard_met"        // its Euro standard is clean enough
	OutsideHours Reason = "outside_hours"       // the rule for it does not hold at that time
	HoursUnknown Reason = "hours_unknown"       // whether it holds then depends on unknown facts, such as holidays
	NoRules      Reason = "rules_unknown"       // the zone is of the map, which has no rules
	NoVehicle    Reason = "vehicle_not_told"    // the request has no emissions
)

// Judgement is a verdict with its grounds.
type Judgement struct {
	Verdict Verdict
	Reason  Reason
	Rule    *zone.Rule // the one that decided; nil where none did
}

// severity orders verdicts.
func (v Verdict) severity() int { return slices.Index([]Verdict{Free, Unknown, Charged, Banned}, v) }

// dayForm is the layout of days.
const dayForm = "2006-01-02"

// holds reports whether a rule is in force on a day.
func holds(r *zone.Rule, day string) bool {
	return (r.From == "" || day >= r.From) && (r.Until == "" || day <= r.Until)
}

// meets reports whether a rule is for a vehicle. Where it is not, clean reports whether the
// vehicle's standard exempts it.
func meets(r *zone.Rule, v *Vehicle) (forIt, clean bool) {
	if !slices.Contains(r.Vehicles, v.Category) || len(r.Fuels) > 0 && !slices.Contains(r.Fuels, v.Fuel) {
		return false, false
	}
	least, limited := r.MinimumEuro[v.Fuel]
	return !limited || v.Euro < least, limited && v.Euro >= least
}

// Judge judges a vehicle at a local time in a zone. holidays are those of its
// country; nil where they are not known.
func Judge(z *zone.Zone, v *Vehicle, at time.Time, holidays hours.Holidays) Judgement {
	switch {
	case len(z.Rules) == 0:
		return Judgement{Verdict: Unknown, Reason: NoRules}
	case v == nil:
		return Judgement{Verdict: Unknown, Reason: NoVehicle}
	}
	at = at.In(location(z))
	none := Judgement{Verdict: Free, Reason: NotCovered}
	for i := range z.Rules {
		r := &z.Rules[i]
		forIt, clean := meets(r, v)
		switch {
		case !holds(r, at.Format(dayForm)):
		case clean && none.Reason == NotCovered:
			none.Reason = StandardMet
		case !forIt:
		default:
			switch inForce(r, at, holidays) {
			case hours.Open:
				return Judgement{verdictOf(r.Effect), ByRule, r}
			case hours.Unknown:
				if none.Verdict != Unknown && r.Effect != free {
					none = Judgement{Unknown, HoursUnknown, r}
				}
			default:
				if none.Verdict != Unknown && r.Effect != free {
					none = Judgement{Free, OutsideHours, r}
				}
			}
		}
	}
	return none
}

func verdictOf(effect string) Verdict {
	switch effect {
	case charge:
		return Charged
	case ban:
		return Banned
	}
	return Free
}

// inForce reports whether the hours of a rule include a time.
func inForce(r *zone.Rule, at time.Time, holidays hours.Holidays) hours.State {
	if r.Hours == "" {
		return hours.Open
	}
	s, err := hours.Parse(r.Hours)
	if err != nil {
		return hours.Unknown
	}
	return s.In(at, &hours.Place{Holiday: holidays})
}

// Between judges a vehicle that is in a zone from one time to another. It returns the severest
// verdict in that time, and when it begins.
func Between(z *zone.Zone, v *Vehicle, from, to time.Time, holidays hours.Holidays) (worst Judgement, since time.Time) {
	worst, since = Judge(z, v, from, holidays), from
	if v == nil {
		return worst, since
	}
	zone := location(z)
	for i := range z.Rules {
		r := &z.Rules[i]
		if forIt, _ := meets(r, v); !forIt {
			continue
		}
		for _, at := range changes(r, from.In(zone), to.In(zone), holidays) {
			if j := Judge(z, v, at, holidays); j.Verdict.severity() > worst.Verdict.severity() {
				worst, since = j, at
			}
		}
	}
	return worst, since
}

// changes lists the times after from, up to to, at which a rule may begin or end to hold.
func changes(r *zone.Rule, from, to time.Time, holidays hours.Holidays) (list []time.Time) {
	for day := midnight(from).AddDate(0, 0, 1); !day.After(to); day = day.AddDate(0, 0, 1) {
		list = append(list, day)
	}
	if r.Hours == "" {
		return list
	}
	s, err := hours.Parse(r.Hours)
	if err != nil {
		return list
	}
	for _, x := range s.Stretches(from, to, from.Location(), &hours.Place{Holiday: holidays}) {
		if x.From.After(from) && !x.From.After(to) {
			list = append(list, x.From)
		}
	}
	return list
}

func midnight(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, t.Location())
}

// locations caches time zones by their names.
var locations sync.Map

// location returns the time zone of a zone's hours; UTC where the name is not known, which Check
// refuses.
func location(z *zone.Zone) *time.Location {
	if l, ok := locations.Load(z.TimeZone); ok {
		return l.(*time.Location)
	}
	l, err := time.LoadLocation(z.TimeZone)
	if err != nil {
		return time.UTC
	}
	locations.Store(z.TimeZone, l)
	return l
}

// worded returns the reason in a sentence for people.
func (j *Judgement) worded(z *zone.Zone, v *Vehicle) string {
	switch j.Reason {
	case ByRule:
		switch {
		case j.Rule.Effect == ban:
			return fmt.Sprintf("%s bans such a vehicle", z.Name)
		case j.Rule.Effect == free:
			return fmt.Sprintf("%s exempts such a vehicle", z.Name)
		case j.Rule.Amount != nil:
			return fmt.Sprintf("%s charges such a vehicle %.2f %s for each %s", z.Name, *j.Rule.Amount, j.Rule.Currency, j.Rule.Per)
		}
		return fmt.Sprintf("%s charges such a vehicle; the amount is not known here", z.Name)
	case StandardMet:
		return fmt.Sprintf("Euro %d meets what %s asks of %s", v.Euro, z.Name, v.Fuel)
	case OutsideHours:
		return fmt.Sprintf("the rule for such a vehicle holds at %s only", j.Rule.Hours)
	case HoursUnknown:
		return fmt.Sprintf("whether the rule for such a vehicle (%s) holds then is not known here", j.Rule.Hours)
	case NoRules:
		return "the map has this zone and its rules are not known here: ask who runs it"
	case NoVehicle:
		return "the request does not say what the vehicle is: emissions decides"
	}
	return fmt.Sprintf("no rule of %s is for such a vehicle", z.Name)
}
