package embedded_test

import (
	"cmp"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/towntest"
)

// TestConditions drives through a town of which one road, or a turn, has conditions. Facts of
// the vehicle count in every request, conditions of time where the request gives one;
// matrices agree with routes.
func TestConditions(t *testing.T) {
	t.Parallel()
	drawing := `
		a----b-x--c----d
		|              |
		|              |
		|              |
		e--------------f`
	const straight, round = "abxcd", "aefd"
	const noon, night = "2026-09-01T12:00", "2026-09-01T23:00" // a Tuesday
	const atTimes, unknown = "date_time", "not known here"
	cases := []struct {
		bc      string
		turn    string
		costing costing.Costing // a lorry by default: 21.64 m, 21.77 t, 4.11 m, five axles
		options string
		clock   string // "" gives no time
		to      string // d by default
		path    string
		warns   string
	}{
		// Properties of the vehicle, under every key of access.
		{bc: `hgv:conditional="no @ (length>12)"`, path: round},
		{bc: `hgv:conditional="no @ (length>12)"`, clock: noon, path: round},
		{bc: `hgv:conditional="no @ (length>12)"`, options: `"length": 12`, path: straight},
		{bc: `hgv:conditional="no @ (length>12)"`, costing: costing.Bus, options: `"length": 18`, path: straight},
		{bc: `access:conditional="no @ (width > 2.5 m)"`, path: round},
		{bc: `vehicle:conditional="no @ (height>=4)"`, path: round},
		{bc: `motor_vehicle:conditional="no @ (weight>7.5)"`, path: round},
		{bc: `motor_vehicle:conditional="no @ (weight>7.5)"`, costing: costing.Auto, path: straight},
		{bc: `motor_vehicle:conditional="no @ (weight>7.5)"`, costing: costing.Bus, path: round},
		{bc: `motor_vehicle:conditional="no @ (weight>7.5)" bus=yes`, costing: costing.Bus, path: straight},
		{bc: `motor_vehicle:conditional="no @ (weight>7.5)" bus=yes`, path: round},
		{bc: `motor_vehicle:conditional="no @ (weight>7.5)" hgv=designated`, path: round},
		{bc: `motor_vehicle:conditional="no @ (weight>7.5)" hgv=destination`, to: "x", path: "abx"},
		{bc: `motorcar:conditional="no @ (weight>3.5)"`, costing: costing.Auto, options: `"weight": 8`, path: round},
		{bc: `motorcar:conditional="no @ (weight>3.5)"`, path: straight},
		{bc: `access:conditional="no @ (hgv AND weight>3.5)"`, path: round},
		{bc: `access:conditional="no @ (bus,hgv)"`, path: round},
		{bc: `access:conditional="no @ (weight:hgv>3.5)"`, costing: costing.Bus, path: straight},
		{bc: `goods:conditional="no @ (maxweightrating>3.5)"`, path: round},
		{bc: `hgv:conditional="no @ (axles>3)"`, path: round},
		{bc: `hgv:conditional="no @ (axleload>10)"`, path: straight},
		{bc: `hgv:conditional="no @ (axleload>8)"`, path: round},
		{bc: `hgv:conditional="no @ (hazmat)"`, path: straight},
		{bc: `hgv:conditional="no @ (hazmat)"`, options: `"hazmat": true`, path: round},
		{bc: `access:conditional="no @ (weight>3.5)"`, costing: costing.Bicycle, options: `"shortest": true`, path: straight},
		{bc: `access:conditional="no @ hgv"`, path: round},
		{bc: `hgv:conditional="no @ (weight>7.5 AND length>25)"`, path: straight},
		{bc: `hgv:backward:conditional="no @ (length>12)"`, path: straight},
		{bc: `hgv=no hgv:conditional="yes @ (weight<=30)"`, path: straight},
		{bc: `hgv=no hgv:conditional="yes @ (weight<=30)"`, clock: noon, path: straight},
		{bc: `hgv=no hgv:conditional="yes @ (weight<=30)"`, options: `"weight": 31`, path: round},
		{bc: `hgv=no hgv:conditional="yes @ (weight<=30)"`, options: `"weight": 31`, clock: noon, path: round},
		{bc: `hgv:conditional="no @ (weight>18); destination @ (weight>7.5)"`, options: `"weight": 12`, path: round},
		{bc: `hgv:conditional="no @ (weight>18); destination @ (weight>7.5)"`, options: `"weight": 7`, path: straight},
		{bc: `hgv:conditional="no @ (length>12)"`, options: `"ignore_restrictions": true`, path: straight},
		{bc: `hgv:conditional="no @ (length>12)"`, options: `"ignore_non_vehicular_restrictions": true`, path: round},
		// Turns.
		{turn: `restriction:conditional="no_straight_on @ (length>10)"`, path: round},
		{turn: `restriction:conditional="no_straight_on @ (length>10)"`, clock: noon, path: round},
		{turn: `restriction:conditional="no_straight_on @ (length>10)"`, options: `"length": 9`, path: straight},
		{turn: `restriction:conditional="no_straight_on @ (weight>7.5)"`, costing: costing.Auto, path: straight},
		{turn: `restriction:conditional="no_u_turn @ (length>99); no_straight_on @ (weight>7.5)"`, path: round},
		{turn: `restriction:conditional="no_straight_on @ (weight>7.5)"`, options: `"ignore_non_vehicular_restrictions": true`, path: round},
		{turn: `restriction="no_straight_on"`, options: `"ignore_non_vehicular_restrictions": true`, path: straight},
		{turn: `restriction:conditional="no_straight_on @ (weight>7.5 AND 22:00-06:00)"`, path: straight, warns: atTimes},
		{turn: `restriction:conditional="no_straight_on @ (weight>7.5 AND 22:00-06:00)"`, options: `"weight": 7`, path: straight},
		{turn: `restriction:conditional="no_straight_on @ (weight>7.5 AND 22:00-06:00)"`, clock: night, path: round},
		{turn: `restriction:conditional="no_straight_on @ (snow)"`, path: straight, warns: unknown},
		// Both parts.
		{bc: `hgv:conditional="no @ (weight>7.5 AND 22:00-06:00)"`, path: straight, warns: atTimes},
		{bc: `hgv:conditional="no @ (weight>7.5 AND 22:00-06:00)"`, options: `"weight": 7`, path: straight},
		{bc: `hgv:conditional="no @ (weight>7.5 AND 22:00-06:00)"`, clock: night, path: round},
		{bc: `hgv:conditional="no @ (weight>7.5 AND 22:00-06:00)"`, clock: noon, path: straight},
		{bc: `hgv:conditional="no @ (22:00-06:00)"`, path: straight, warns: atTimes},
		{bc: `hgv:conditional="no @ (22:00-06:00)"`, costing: costing.Auto, path: straight},
		{bc: `hgv:conditional="no @ (weight>7.5); yes @ (22:00-06:00)"`, clock: night, path: straight},
		{bc: `hgv:conditional="no @ (weight>7.5); yes @ (22:00-06:00)"`, clock: noon, path: round},
		{bc: `hgv:conditional="no @ (weight>7.5); yes @ (22:00-06:00)"`, path: round},
		// Conditions that are not understood.
		{bc: `access:conditional="no @ (axles>3)"`, costing: costing.Bus, path: straight, warns: unknown},
		{bc: `motor_vehicle:conditional="no @ (emissions<euro_6)"`, path: straight, warns: unknown},
		{bc: `motor_vehicle:conditional="no @ (emissions<euro_6)"`, clock: noon, path: straight, warns: unknown},
		{bc: `motor_vehicle:conditional="yes @ (emissions>euro_6)"`, path: straight},
		// Limits.
		{bc: `maxweight:conditional="3.5 @ (06:00-13:00)"`, clock: noon, path: round},
		{bc: `maxweight:conditional="3.5 @ (06:00-13:00)"`, clock: noon, options: `"weight": 3.5`, path: straight},
		{bc: `maxweight:conditional="3.5 @ (06:00-13:00)"`, clock: night, path: straight},
		{bc: `maxweight:conditional="3.5 @ (06:00-13:00)"`, path: straight, warns: atTimes},
		{bc: `maxweight:conditional="3.5 @ (06:00-13:00)"`, options: `"weight": 3.5`, path: straight},
		{bc: `maxheight:conditional="13 ft @ (06:00-13:00)"`, clock: noon, path: round},
		{bc: `maxlength:hgv:conditional="12 @ (06:00-13:00)"`, clock: noon, path: round},
		{bc: `maxlength:hgv:conditional="11 @ (06:00-13:00)"`, costing: costing.Bus, clock: noon, path: straight},
		{bc: `maxwidth:forward:conditional="2.3 @ (06:00-13:00)"`, clock: noon, path: round},
		{bc: `maxwidth:backward:conditional="2.3 @ (06:00-13:00)"`, clock: noon, path: straight},
		{bc: `maxweight=7.5 maxweight:conditional="none @ (22:00-06:00)"`, clock: night, path: straight},
		{bc: `maxweight=7.5 maxweight:conditional="none @ (22:00-06:00)"`, clock: noon, path: round},
		{bc: `maxweight=7.5 maxweight:conditional="none @ (22:00-06:00)"`, path: round},
		{bc: `maxweight=7.5 maxheight=4 maxweight:conditional="none @ (22:00-06:00)"`, clock: night, path: round},
		{bc: `maxweight=7.5 maxweight:conditional="26 @ (axles>=5)"`, path: straight},
		{bc: `maxweight=7.5 maxweight:conditional="26 @ (axles>=5)"`, options: `"axle_count": 4`, path: round},
		{bc: `maxweight=7.5 maxweight:conditional="none @ destination"`, path: round},
		{bc: `maxweight=7.5 maxweight:conditional="none @ destination"`, options: `"weight": 7.5`, path: straight},
		{bc: `maxweight=7.5 maxweight:conditional="none @ psv"`, path: round},
		{bc: `maxweight=7.5 maxweight:conditional="none @ psv"`, costing: costing.Bus, path: straight},
		{bc: `maxweight=7.5 maxweight:conditional="none @ (agricultural); none @ (forestry, bus)"`, costing: costing.Bus, path: straight},
		{bc: `maxweight=7.5 maxweight:conditional="none @ (agricultural); none @ (forestry, bus)"`, path: round},
		{bc: `maxweight=7.5 maxweight:conditional="20 @ (bus)"`, costing: costing.Bus, path: straight},
		{bc: `maxweight=7.5 maxweight:conditional="20 @ (bus)"`, costing: costing.Bus, options: `"weight": 21`, path: round},
		{bc: `maxweight=7.5 maxweight:bus=20 maxweight:conditional="none @ (22:00-06:00)"`, costing: costing.Bus, path: straight},
		{bc: `maxweight=7.5 maxweight:bus=20 maxweight:conditional="none @ (22:00-06:00)"`, costing: costing.Bus, options: `"weight": 21`, path: round},
		{bc: `maxweight:conditional="3.5 @ (06:00-08:30,10:30-12:00,16:00-18:00)"`, clock: "2026-09-01T11:00", path: round},
		{bc: `maxweight:conditional="3.5 @ (06:00-08:30,10:30-12:00,16:00-18:00)"`, clock: noon, path: straight},
		{bc: `maxweight:hgv:conditional="2.5 @(06:00-22:00); <2.5 @(06:00-09:00, 16:00-20:00)"`, clock: noon, path: round},
		{bc: `maxweight=5 hgv:conditional="destination @ (maxweight > 5)"`, path: round},
		{bc: `maxweight=5 hgv:conditional="destination @ (maxweight > 5)"`, to: "x", path: "abx"},
		{bc: `maxweight=7.5 maxweight:conditional="none @ destination"`, to: "x", path: "abx"},
		{bc: `maxweight=7.5 maxweight:conditional="none @ destination"`, to: "x", clock: noon, path: "abx"},
		{bc: `maxweight=7.5 maxweight:conditional="none @ (delivery AND 06:00-13:00)"`, clock: noon, path: round},
		{bc: `maxweight=7.5 maxweight:conditional="none @ (delivery AND 06:00-13:00)"`, to: "x", clock: noon, path: "abx"},
		// One-way rules.
		{bc: `oneway=reversible oneway:conditional="yes  @ (09:00-17:00); -1 @ (17:01-8:59)"`, costing: costing.Auto, clock: noon, path: straight},
		{bc: `oneway=reversible oneway:conditional="yes  @ (09:00-17:00); -1 @ (17:01-8:59)"`, costing: costing.Auto, clock: night, path: round},
		{bc: `oneway=yes oneway:conditional="-1 @ (06:00-13:00)"`, costing: costing.Auto, clock: noon, path: round},
		{bc: `oneway=yes oneway:conditional="-1 @ (06:00-13:00)"`, costing: costing.Auto, clock: night, path: straight},
		{bc: `oneway=yes oneway:conditional="-1 @ (06:00-13:00)"`, costing: costing.Auto, path: straight, warns: atTimes},
		{bc: `oneway=-1 oneway:conditional="yes @ (06:00-13:00)"`, costing: costing.Auto, clock: noon, path: straight},
		{bc: `oneway=-1 oneway:conditional="no @ (06:00-13:00)"`, costing: costing.Auto, clock: noon, path: straight},
		{bc: `oneway=-1 oneway:conditional="no @ (06:00-13:00)"`, costing: costing.Auto, clock: night, path: round},
		{bc: `oneway=-1 oneway:conditional="no @ (06:00-13:00)" motor_vehicle=no`, costing: costing.Auto, clock: noon, path: round},
		{bc: `oneway=reversible oneway:conditional="yes @ (06:00-13:00); -1 @ (13:00-20:00)"`, costing: costing.Auto, clock: noon, path: straight},
		{bc: `oneway=reversible oneway:conditional="-1 @ (06:00-13:00); yes @ (13:00-24:00)"`, costing: costing.Auto, clock: noon, path: round},
		{bc: `oneway=reversible oneway:conditional="-1 @ (06:00-13:00); yes @ (13:00-24:00)"`, costing: costing.Auto, clock: night, path: straight},
		{bc: `oneway=reversible oneway:conditional="yes @ (06:00-13:00)"`, costing: costing.Auto, path: round},
		{bc: `oneway=-1 oneway:bicycle:conditional="no @ (06:00-13:00)"`, costing: costing.Bicycle, options: `"shortest": true`, clock: noon, path: straight},
		{bc: `oneway=-1 oneway:bicycle:conditional="no @ (06:00-13:00)"`, costing: costing.Bicycle, clock: night, path: round},
		{bc: `oneway:conditional="-1 @ (06:00-13:00)" oneway:bicycle=no`, costing: costing.Bicycle, options: `"shortest": true`, clock: noon, path: straight},
		{bc: `oneway:hgv:conditional="-1 @ (length>12)"`, path: round},
		{bc: `oneway=-1 oneway:conditional="no @ (weight<3)"`, path: round},
		{bc: `oneway=-1 oneway:conditional="no @ (06:00-13:00)"`, costing: costing.Auto, options: `"ignore_oneways": true`, clock: night, path: straight},
		// The sun and holidays, in Great Britain.
		{bc: `motor_vehicle:conditional="no @ (sunset-sunrise)"`, clock: "2026-06-21T20:00", path: straight},
		{bc: `motor_vehicle:conditional="no @ (sunset-sunrise)"`, clock: "2026-12-21T20:00", path: round},
		{bc: `motor_vehicle:conditional="no @ (sunset-sunrise)"`, path: straight, warns: atTimes},
		{bc: `hgv:conditional="no @ (PH)"`, clock: "2026-12-25T12:00", path: round},
		{bc: `hgv:conditional="no @ (PH)"`, clock: noon, path: straight},
		{bc: `hgv:conditional="no @ (Mo-Fr 07:00-13:00; PH off)"`, clock: "2026-12-25T12:00", path: straight},
		{bc: `hgv:conditional="no @ (Mo-Fr 07:00-13:00; PH off)"`, clock: noon, path: round},
		{bc: `hgv:conditional="no @ (Mo-Fr 07:00-13:00; SH off)"`, clock: noon, path: round},
		{bc: `hgv:conditional="no @ (SH)"`, clock: noon, path: straight, warns: unknown},
		{turn: `restriction:conditional="no_straight_on @ (PH)"`, clock: "2026-12-25T12:00", path: round},
		{turn: `restriction:conditional="no_straight_on @ (sunset-sunrise)"`, clock: night, path: round},
	}
	// All towns are of one region, in a row.
	towns := map[string]*towntest.Town{}
	var all []*towntest.Town
	for _, c := range cases {
		if towns[c.bc+c.turn] != nil {
			continue
		}
		var turns towntest.Turns
		if c.turn != "" {
			turns = towntest.Turns{{"ab", "b", "bxc", c.turn}}
		}
		at, first := geo.Point{Lon: towntest.England.Lon + 0.03*float64(len(all)%20), Lat: towntest.England.Lat + 0.03*float64(len(all)/20)}, 1+100*len(all)
		town := towntest.Draw(t, drawing, turns, towntest.Ways{
			{"ab", "primary"}, {"bxc", "primary " + c.bc}, {"cd", "primary"}, {"ae", "residential"}, {"ef", "residential"}, {"fd", "residential"},
		}, towntest.At(at), towntest.FirstID(first))
		towns[c.bc+c.turn], all = town, append(all, town)
	}
	data, err := towntest.Merge(all...)
	if err != nil {
		t.Fatal(err)
	}
	e, err := embedded.New(towntest.Of(data).Region(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		if !c.costing.Valid() {
			c.costing = costing.Truck
		}
		t.Run(strings.TrimSpace(fmt.Sprint(c.bc, c.turn, " ", c.costing, " ", c.options, " ", c.clock)), func(t *testing.T) {
			town := towns[c.bc+c.turn]
			r := &engine.RouteRequest{Costing: c.costing, Locations: stops(town, "a", cmp.Or(c.to, "d"))}
			if c.clock != "" {
				at, err := time.Parse(engine.TimeForm, c.clock)
				if err != nil {
					t.Fatal(err)
				}
				r.When = &engine.When{Type: engine.Depart, Local: at}
			}
			for range 2 { // the second time with a metric of the options
				got, a, err := ask(t, e, r, c.options)
				if err != nil {
					t.Fatal(err)
				}
				if path := a.Trip.passes(t, town); path != c.path {
					t.Errorf("it passes %s", path)
				}
				if said := fmt.Sprint(got.Warnings); c.warns != "" && !strings.Contains(said, c.warns) || c.warns == "" && len(got.Warnings) > 0 {
					t.Errorf("it says %s", said)
				}
				m, err := e.Matrix(t.Context(), &engine.MatrixRequest{Costing: r.Costing, Options: r.Options, Conditions: r.Conditions, Sources: r.Locations[:1], Targets: r.Locations[1:]})
				if err != nil {
					t.Fatal(err)
				}
				if cell, metres := m.Cells[0][0], got.Routes[0].Metres; !cell.Reached || math.Abs(cell.Metres-metres) > 1 {
					t.Errorf("a matrix has %+v, a route %g m", cell, metres)
				}
			}
		})
	}
}

// TestConditionsOfTheOnlyWay asks for ways that a condition about the vehicle closes: the
// refusal names the property.
func TestConditionsOfTheOnlyWay(t *testing.T) {
	for tags, names := range map[string]string{
		`hgv:conditional="no @ (length>12)"`:                                "length = 21.64",
		`maxweight=7.5 maxweight:conditional="none @ (22:00-06:00)"`:        "weight = 21.77",
		`maxheight=5 maxheight:conditional="4 @ (width>2.5)" maxweight=3.5`: "weight",
	} {
		town := towntest.Draw(t, `a--b--c--d`, towntest.Ways{{"ab", "primary"}, {"bc", "primary " + tags}, {"cd", "primary"}})
		e, err := embedded.New(town.Region(t))
		if err != nil {
			t.Fatal(err)
		}
		_, _, err = ask(t, e, &engine.RouteRequest{Costing: costing.Truck, Locations: stops(town, "a", "d")}, "")
		if engine.Code(err) != engine.CodeNoRoute || !strings.Contains(err.Error(), names) {
			t.Errorf("%s: %v, want no route because of %s", tags, err, names)
		}
	}
}
