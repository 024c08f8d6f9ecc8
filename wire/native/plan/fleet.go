package plan

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/native"
	"github.com/waygate/waygate/wire/schema"
)

// FleetID names a vehicle or a stop. A number is taken for its text.
type FleetID string

// Describe describes a text.
func (FleetID) Describe(*schema.Document) *schema.Schema {
	one, most := 1, 128
	return &schema.Schema{Type: schema.String, MinLength: &one, MaxLength: &most}
}

// DecodeJSON reads a text or a whole number.
func (f *FleetID) DecodeJSON(c *schema.Context, raw json.RawMessage) {
	var text string
	var number int64
	switch {
	case schema.Fits(c, raw, &text):
	case schema.Fits(c, raw, &number):
		text = string(raw)
	}
	if text == "" || len(text) > 128 {
		c.Refuse("", raw, "must be a string of 1 to 128 bytes, or a whole number")
		return
	}
	*f = FleetID(text)
}

// FleetPlace is a place: an object of lat and lon, or [lon, lat].
type FleetPlace struct{ native.Position }

// Describe describes the object.
func (FleetPlace) Describe(d *schema.Document) *schema.Schema {
	return schema.Raw[native.Position]{}.Describe(d)
}

// DecodeJSON reads either form.
func (p *FleetPlace) DecodeJSON(c *schema.Context, raw json.RawMessage) {
	var pair []float64
	if !schema.Fits(c, raw, &pair) {
		schema.Decode(c, "", raw, &p.Position)
		return
	}
	if len(pair) != 2 {
		c.Refuse("", raw, "must be an object with lat and lon, or [lon, lat]")
		return
	}
	p.Lon, p.Lat = pair[0], pair[1]
	if !p.Point().Valid() {
		c.Refuse("", raw, "is not on the globe: a list is [lon, lat] in degrees")
	}
}

// FleetWindow is [start, end] in seconds, both included.
type FleetWindow [2]int64

// maxMoment bounds times, so that Unix seconds fit.
const maxMoment = 1 << 40

// Describe describes the pair.
func (FleetWindow) Describe(*schema.Document) *schema.Schema {
	two, zero, most := 2, 0.0, float64(maxMoment)
	return &schema.Schema{Type: schema.Array, MinItems: &two, MaxItems: &two, Items: &schema.Schema{Type: schema.Integer, Format: "int64", Minimum: &zero, Maximum: &most}}
}

// DecodeJSON reads the pair.
func (w *FleetWindow) DecodeJSON(c *schema.Context, raw json.RawMessage) {
	var pair []int64
	if !schema.Fits(c, raw, &pair) || len(pair) != 2 {
		c.Refuse("", raw, "must be [start, end] in whole seconds")
		return
	}
	for i, v := range pair {
		if v < 0 || v > maxMoment {
			c.Refuse(native.Index(i), v, "must be between 0 and %d seconds", int64(maxMoment))
			return
		}
	}
	if pair[0] > pair[1] {
		c.Refuse("", raw, "ends before it starts: [start, end] in seconds")
		return
	}
	*w = FleetWindow(pair)
}

// apart refuses windows that are not sorted or that meet.
func apart(c *schema.Context, at string, list []FleetWindow) {
	for i := 1; i < len(list); i++ {
		if list[i][0] <= list[i-1][1] {
			c.Refuse(fmt.Sprintf("%s[%d]", at, i), list[i], "starts before the end of the one before it (%d): windows are sorted and apart", list[i-1][1])
		}
	}
}

// FleetSeconds are whole seconds by the type of a vehicle.
type FleetSeconds map[string]int64

// Check refuses what is no duration.
func (s *FleetSeconds) Check(c *schema.Context) {
	for name, n := range *s {
		if n < 0 || n > 604_800 {
			c.Refuse(name, n, "must be between 0 and 604800 seconds")
		}
	}
}

// FleetStop is where, when and how long something is done.
type FleetStop struct {
	Description    string        `json:"description,omitempty" maxLength:"1000" doc:"comes back"`
	Location       FleetPlace    `json:"location" doc:"an object of lat and lon; [lon, lat] is taken too"`
	Service        *int64        `json:"service_s,omitempty" minimum:"0" maximum:"604800" unit:"seconds" doc:"time that it takes; 0 without it"`
	VroomService   *int64        `json:"service,omitempty" minimum:"0" maximum:"604800" unit:"seconds" doc:"another name of service_s"`
	Setup          int64         `json:"setup,omitempty" minimum:"0" maximum:"604800" unit:"seconds" doc:"time before the service, where the stop before is elsewhere"`
	ServicePerType FleetSeconds  `json:"service_per_type,omitempty" doc:"service_s by the type of a vehicle"`
	SetupPerType   FleetSeconds  `json:"setup_per_type,omitempty" doc:"setup by the type of a vehicle"`
	Windows        []FleetWindow `json:"time_windows,omitempty" maxItems:"64" of:"windows" doc:"in which the service starts: [start, end] in seconds, sorted and apart; without them it is any time"`
}

// Check checks the windows.
func (s *FleetStop) Check(c *schema.Context) {
	apart(c, "time_windows", s.Windows)
	if s.Service != nil && s.VroomService != nil && *s.Service != *s.VroomService {
		c.Refuse("service", *s.VroomService, "is another name of service_s (%d): give one of them", *s.Service)
	}
}

// Seconds returns how long the service takes.
func (s *FleetStop) Seconds() int64 {
	for _, v := range []*int64{s.Service, s.VroomService} {
		if v != nil {
			return *v
		}
	}
	return 0
}

// FleetJob is one stop.
type FleetJob struct {
	ID FleetID `json:"id" doc:"unlike that of any other stop"`
	FleetStop
	Delivery []int32 `json:"delivery,omitempty" maxItems:"16" minimum:"0" maximum:"1000000000" doc:"amounts that are loaded at the start of the trip and left here, as many as the capacities of vehicles have"`
	Pickup   []int32 `json:"pickup,omitempty" maxItems:"16" minimum:"0" maximum:"1000000000" doc:"amounts that are taken along from here to the end of the trip"`
	Skills   []int32 `json:"skills,omitempty" maxItems:"64" doc:"that the vehicle must have, all of them"`
	Priority int     `json:"priority,omitempty" minimum:"0" maximum:"100" default:"0" doc:"tasks of more priority are served first, where not all can be"`
}

// FleetShipment is a load that one vehicle picks up and delivers.
type FleetShipment struct {
	ID       FleetID  `json:"id,omitempty" doc:"shipment-1 and so on without it"`
	Pickup   FleetEnd `json:"pickup"`
	Delivery FleetEnd `json:"delivery"`
	Amount   []int32  `json:"amount,omitempty" maxItems:"16" minimum:"0" maximum:"1000000000" doc:"that is on board between the two"`
	Skills   []int32  `json:"skills,omitempty" maxItems:"64"`
	Priority int      `json:"priority,omitempty" minimum:"0" maximum:"100" default:"0"`
	MaxRide  int64    `json:"max_ride_time_s,omitempty" minimum:"0" maximum:"604800" unit:"seconds" doc:"most time from the end of the pickup to the start of the delivery; 0 is no limit"`
}

// Check refuses a delivery that can only come before its pickup.
func (s *FleetShipment) Check(c *schema.Context) {
	if p, d := s.Pickup.Windows, s.Delivery.Windows; len(p) > 0 && len(d) > 0 && d[len(d)-1][1] < p[0][0] {
		c.Refuse("delivery.time_windows", d[len(d)-1], "ends before the pickup may start (%d): a delivery follows its pickup", p[0][0])
	}
}

// FleetEnd is where a shipment is picked up or delivered.
type FleetEnd struct {
	ID FleetID `json:"id,omitempty" doc:"unlike that of any other stop; that of the shipment with /pickup or /delivery without it"`
	FleetStop
}

// FleetCosts are the costs that a plan is judged by.
type FleetCosts struct {
	Fixed       int64 `json:"fixed,omitempty" minimum:"0" maximum:"1048576" doc:"of a vehicle that is used, for each trip" default:"0"`
	PerHour     int64 `json:"per_hour,omitempty" minimum:"0" maximum:"1048576" doc:"of travel" default:"3600"`
	PerTaskHour int64 `json:"per_task_hour,omitempty" minimum:"0" maximum:"1048576" doc:"of setup and service" default:"0"`
	PerKM       int64 `json:"per_km,omitempty" minimum:"0" maximum:"1048576" default:"0"`
}

// FleetBreak is a rest.
type FleetBreak struct {
	ID           FleetID       `json:"id,omitempty" doc:"comes back; no two breaks of a vehicle share one"`
	Windows      []FleetWindow `json:"time_windows,omitempty" maxItems:"64" of:"windows" doc:"in which it starts; without them it is any time"`
	Service      *int64        `json:"service_s,omitempty" minimum:"0" maximum:"604800" unit:"seconds" doc:"that it lasts"`
	VroomService *int64        `json:"service,omitempty" minimum:"0" maximum:"604800" unit:"seconds" doc:"another name of service_s"`
	Description  string        `json:"description,omitempty" maxLength:"1000"`
	MaxLoad      []int32       `json:"max_load,omitempty" maxItems:"16" minimum:"0" maximum:"1000000000" doc:"most load during it"`
}

// Check checks the windows.
func (b *FleetBreak) Check(c *schema.Context) { apart(c, "time_windows", b.Windows) }

// Seconds returns how long it lasts.
func (b *FleetBreak) Seconds() int64 {
	s := FleetStop{Service: b.Service, VroomService: b.VroomService}
	return s.Seconds()
}

// FleetReloads let a vehicle drive several trips.
type FleetReloads struct {
	MaxTrips int         `json:"max_trips" minimum:"2" maximum:"5" doc:"most trips in the time_window"`
	Seconds  int64       `json:"reload_time_s,omitempty" minimum:"0" maximum:"604800" default:"0" unit:"seconds" doc:"that a call at the depot takes"`
	Depot    *FleetPlace `json:"depot,omitempty" doc:"where it is loaded between two trips; the start of the vehicle without it"`
}

// FleetStep is a step of a plan to begin with, as VROOM's steps are.
type FleetStep struct {
	Type string  `json:"type" enum:"start,job,pickup,delivery,break,end" doc:"start, break and end have no effect"`
	ID   FleetID `json:"id,omitempty" doc:"of the stop"`
}

// FleetVehicle is a vehicle.
type FleetVehicle struct {
	ID          FleetID       `json:"id" doc:"unlike that of any other vehicle"`
	Description string        `json:"description,omitempty" maxLength:"1000" doc:"comes back"`
	Profile     string        `json:"profile,omitempty" maxLength:"32" doc:"the costing of this vehicle: auto, truck and so on; that of the request without it. car stands for auto"`
	Start       *FleetPlace   `json:"start,omitempty" doc:"without it the route begins at its first stop"`
	End         *FleetPlace   `json:"end,omitempty" doc:"without it the route ends at its last stop"`
	Capacity    []int32       `json:"capacity,omitempty" maxItems:"16" minimum:"0" maximum:"1000000000" doc:"in as many dimensions as amounts have; without any a vehicle carries all"`
	Costs       FleetCosts    `json:"costs,omitempty"`
	Skills      []int32       `json:"skills,omitempty" maxItems:"256"`
	Type        string        `json:"type,omitempty" maxLength:"64" doc:"chooses service_per_type and setup_per_type of stops"`
	Territories []string      `json:"territory_ids,omitempty" maxItems:"64" doc:"it serves stops in one of these alone"`
	Window      *FleetWindow  `json:"time_window,omitempty" doc:"its shift: [start, end] in seconds from any zero of yours, as those of stops"`
	Windows     []FleetWindow `json:"time_windows,omitempty" maxItems:"31" of:"windows" doc:"several shifts in place of time_window, between which it stands still"`
	Breaks      []FleetBreak  `json:"breaks,omitempty" maxItems:"16" of:"breaks" doc:"taken in this order, all of them, between stops or on the way: a vehicle that cannot take one within its shift is refused"`
	SpeedFactor float64       `json:"speed_factor,omitempty" exclusiveMinimum:"0" maximum:"5" default:"1" doc:"divides times of travel. All vehicles may have 100 different pairs of profile and speed_factor, and of a job with 2,000 locations 8: for each pair the ways between the locations are kept, 4,000,000 together, of a job 32,000,000"`
	MaxTasks    int           `json:"max_tasks,omitempty" minimum:"0" maximum:"100000" default:"0" doc:"most stops of a trip; 0 is no limit"`
	MaxTravel   int64         `json:"max_travel_time,omitempty" minimum:"0" maximum:"31536000" default:"0" unit:"seconds" doc:"most time of driving of a trip; 0 is no limit"`
	MaxDistance int64         `json:"max_distance,omitempty" minimum:"0" maximum:"1000000000" default:"0" unit:"metres" doc:"most way of a trip; 0 is no limit"`
	Reloads     *FleetReloads `json:"reloads,omitempty" doc:"several trips in its time_window, each with its own capacity, max_tasks, max_travel_time and fixed cost"`
	First       []FleetID     `json:"first_stop_ids,omitempty" maxItems:"1000" doc:"stops that it begins with, in this order"`
	Steps       []FleetStep   `json:"steps,omitempty" maxItems:"5000" of:"steps" doc:"a plan to begin the search with; what of it cannot be driven is planned anew. With stability the new plan keeps to it"`
}

// Check checks what depends on several members.
func (v *FleetVehicle) Check(c *schema.Context) {
	apart(c, "time_windows", v.Windows)
	if v.Window != nil && v.Windows != nil {
		c.Refuse("time_windows", nil, "stands beside time_window: give one of them")
	}
	if v.Start == nil && v.End == nil {
		c.Refuse("start", nil, "is missing: a vehicle has a start, an end or both")
	}
	if v.Reloads == nil {
		return
	}
	if v.Window == nil {
		c.Refuse("reloads", nil, "needs a time_window: that is what the trips share")
	}
	if v.Reloads.Depot == nil && v.Start == nil {
		c.Refuse("reloads.depot", nil, "is missing: the vehicle has no start to be loaded at")
	}
}

// Shifts returns the windows of its work.
func (v *FleetVehicle) Shifts() []FleetWindow {
	if v.Window != nil {
		return []FleetWindow{*v.Window}
	}
	return v.Windows
}

// FleetRelaxation is by how much to relax where work is left over.
type FleetRelaxation struct {
	Windows  int64 `json:"time_windows_by_s,omitempty" minimum:"0" maximum:"604800" unit:"seconds" doc:"windows of stops begin so much earlier and end so much later"`
	Overtime int64 `json:"allow_overtime_s,omitempty" minimum:"0" maximum:"604800" unit:"seconds" doc:"shifts end so much later"`
}

// FleetStability is the cost of departing from a plan.
type FleetStability struct {
	Vehicle  int64 `json:"vehicle,omitempty" minimum:"0" maximum:"1048576" doc:"for a task that another vehicle serves, in the unit of costs: by default 900 is a quarter of an hour of travel" default:"900"`
	Position int64 `json:"position,omitempty" minimum:"0" maximum:"1048576" doc:"for a stop that does not follow the stop that it followed" default:"60"`
}

// TooManyPlaces is the failure of a problem with more unique locations than may be.
func TooManyPlaces(n, most int, instead string) error {
	return fault.New(fault.OptimisationTooLarge, "the problem has %d unique locations and may have %d%s", n, most, instead).With("max_locations", most).With("locations", n)
}

// UniquePlaces numbers places: those within a tenth of a metre are one.
func UniquePlaces(all []geo.Point) (unique []geo.Point, number []int) {
	seen := map[[2]int64]int{}
	for _, p := range all {
		k := [2]int64{int64(math.Round(p.Lat * 1e6)), int64(math.Round(p.Lon * 1e6))}
		n, ok := seen[k]
		if !ok {
			n = len(unique)
			seen[k] = n
			unique = append(unique, p)
		}
		number = append(number, n)
	}
	return unique, number
}

func commas(list []string) string { return strings.Join(list, ", ") }
