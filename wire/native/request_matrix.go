package native

import (
	"encoding/json"
	"slices"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/schema"
)

// MatrixRequest is the body of POST /matrix.
type MatrixRequest struct {
	Sources   []MatrixLocation `json:"sources,omitempty" minItems:"1" of:"locations" doc:"where ways begin"`
	Targets   []MatrixLocation `json:"targets,omitempty" minItems:"1" of:"locations" doc:"where ways end"`
	Locations []RouteLocation  `json:"locations,omitempty" minItems:"1" of:"locations" doc:"instead of both: all ways between these"`
	AnyTravel
	ID string `json:"id,omitempty" maxLength:"256" doc:"echoed"`
	Conditions
	Zoned
	Receipted
	MatrixLocations schema.Raw[int]               `json:"matrix_locations,omitempty" effect:"binding" doc:"a 501 on engines that cannot honour it"`
	Bidirectional   schema.Raw[bool]              `json:"prioritize_bidirectional,omitempty" effect:"passed" doc:"passed to a remote engine"`
	Units           schema.Raw[Units]             `json:"units,omitempty" effect:"none" doc:"without effect: distances are metres"`
	Verbose         schema.Raw[bool]              `json:"verbose,omitempty" effect:"none" doc:"without effect: there is one form"`
	ShapeFormat     schema.Raw[ShapeFormat]       `json:"shape_format,omitempty" effect:"none" doc:"without effect: there are no shapes"`
	Options         schema.Raw[DirectionsOptions] `json:"directions_options,omitempty" effect:"none" doc:"without effect"`
	Language        schema.Raw[Language]          `json:"language,omitempty" effect:"none" doc:"without effect"`
	Format          schema.Raw[string]            `json:"format,omitempty" effect:"none" doc:"without effect"`
	Rest            schema.UnknownMembers
}

// ValhallaMatrix is the form of a matrix as Valhalla has it.
type ValhallaMatrix struct {
	Miles bool // lengths are miles rather than kilometres
	Brief bool // as rows of numbers rather than of objects
}

// Valhalla returns the form that units and verbose ask for. They have no effect in
// the gateway's own, and count as read now.
func (r *MatrixRequest) Valhalla() *ValhallaMatrix {
	former := read(r.Options)
	units := first(read(r.Units), former.Units)
	former.Units = ""
	r.Rest = slices.DeleteFunc(slices.Clone(r.Rest), func(m schema.Member) bool {
		return m.Name == "units" || m.Name == "verbose" || m.Name == "directions_options" && former == DirectionsOptions{}
	})
	return &ValhallaMatrix{Miles: units.miles(), Brief: len(r.Verbose) > 0 && !read(r.Verbose)}
}

// read returns a value that was checked; the zero value where it was not given.
func read[T any](raw schema.Raw[T]) (v T) {
	if len(raw) > 0 {
		_ = json.Unmarshal(raw, &v)
	}
	return v
}

// Check checks what depends on several members.
func (r *MatrixRequest) Check(c *schema.Context) {
	r.AnyTravel.Check(c)
	r.checkTime(c, r.DateTime)
	r.Zoned.Check(c)
	r.checkTimes(c)
	for _, list := range []struct {
		name string
		all  []MatrixLocation
	}{{"sources", r.Sources}, {"targets", r.Targets}} {
		switch {
		case r.Square() && list.all != nil:
			c.Refuse(list.name, nil, "stands beside locations: give either locations, for all ways between them, or sources and targets")
		case !r.Square() && list.all == nil:
			c.Refuse(list.name, nil, "is missing: a list of objects with lat and lon")
		}
	}
}

// Square reports whether the ways wanted are those between one list of places.
func (r *MatrixRequest) Square() bool { return r.Locations != nil }

// Points returns where the ways are.
func (r *MatrixRequest) Points() []geo.Point {
	return PointsOf(r.Locations, places(r.Sources), places(r.Targets))
}

// Features names what makes the call Premium: truck, adr.
func (r *MatrixRequest) Features() []string { return Features(&r.travel, Has(r.Rest, "adr")) }

// Matrix returns the request to an engine of some capabilities, and the warnings. A
// matrix of more than so many cells is refused.
func (r *MatrixRequest) Matrix(can engine.Can, cells int) (*engine.MatrixRequest, []engine.Warning, error) {
	if err := r.notHere(); err != nil {
		return nil, nil, err
	}
	from, to, last := places(r.Sources), places(r.Targets), "targets"
	if r.Square() {
		from, to, last = r.Locations, r.Locations, "locations"
	}
	if n := len(from) * len(to); n > cells {
		return nil, nil, fault.Invalid(fault.Violation{Location: last, Message: tooMany(len(from), len(to), cells)})
	}
	b := Beyond{can: can}
	if err := b.Read(r.Rest); err != nil {
		return nil, nil, err
	}
	q := &engine.MatrixRequest{Sources: locations(from), Costing: r.travel.Costing, Options: r.travel.settings, Conditions: r.Conditions.Engine(), Times: r.times(), Extra: b.extra}
	if q.Targets = q.Sources; !r.Square() {
		q.Targets = locations(to)
	}
	return q, b.Warnings, nil
}

// TransitMatrix returns the places of a matrix by public transport, and warnings of what has
// no effect on it.
func (r *MatrixRequest) TransitMatrix() (sources, targets []geo.Point, warnings []engine.Warning, err error) {
	from, to := places(r.Sources), places(r.Targets)
	warnings, err = r.unused(r.Rest, r.AvoidZones, r.Locations, from, to)
	if r.Square() {
		return PointsOf(r.Locations), PointsOf(r.Locations), warnings, err
	}
	return PointsOf(from), PointsOf(to), warnings, err
}

// Cells returns the number of ways of the matrix.
func (r *MatrixRequest) Cells() int {
	if r.Square() {
		return len(r.Locations) * len(r.Locations)
	}
	return len(r.Sources) * len(r.Targets)
}
