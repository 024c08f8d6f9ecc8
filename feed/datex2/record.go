package datex2

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/waygate/waygate/feed/traffic"
)

// situation has the facts that the records of one event share.
type situation struct{ id, severity string }

// record is one situation record as it is read.
type record struct {
	id, kind   string
	place      location
	links      []string
	incident   traffic.Incident
	periods    []period
	overall    traffic.Window
	management string // what is done to the road
	vehicle    string
	status     string
	over       bool // cancelled or ended
	clocks     clocks
}

// kinds are the kinds of incident by the types of records, without the prefix.
// Those that are not here and no incident are passed over.
var kinds = map[string]string{
	"Accident": "accident", "AbnormalTraffic": "congestion", "PublicEvent": "event", "DisturbanceActivity": "event",
	"RoadOrCarriagewayOrLaneManagement": "restriction", "SpeedManagement": "restriction", "GeneralNetworkManagement": "restriction", "WinterDrivingManagement": "restriction",
	"MaintenanceWorks": "roadworks", "ConstructionWorks": "roadworks", "Roadworks": "roadworks",
	"VehicleObstruction": "obstruction", "GeneralObstruction": "obstruction", "EnvironmentalObstruction": "obstruction", "AnimalPresenceObstruction": "obstruction",
	"InfrastructureDamageObstruction": "obstruction", "EquipmentOrSystemFault": "hazard", "NonWeatherRelatedRoadConditions": "hazard",
	"PoorEnvironmentConditions": "weather", "WeatherRelatedRoadConditions": "weather", "Conditions": "hazard", "AuthorityOperation": "other",
}

func newRecord(id, kind string) *record {
	if i := strings.LastIndexByte(kind, ':'); i >= 0 {
		kind = kind[i+1:]
	}
	return &record{id: id, kind: kind}
}

// maxDescription is how many bytes of comments are kept.
const maxDescription = 500

// recordLeaf takes the text of an element of a record.
func (x *reader) recordLeaf(name string, raw []byte) {
	r := x.record
	switch name {
	case "severity":
		r.incident.Severity = string(raw)
	case "situationRecordVersionTime":
		r.incident.Updated = timeOf(raw)
	case "validityStatus":
		r.status = string(raw)
	case "overallStartTime":
		r.overall.From = timeOf(raw)
	case "overallEndTime":
		r.overall.Until = timeOf(raw)
	case "startOfPeriod", "endOfPeriod", "startTimeOfPeriod", "endTimeOfPeriod", "applicableDay", "applicableWeek", "applicableMonth":
		if p := x.period(); p != nil {
			p.leaf(name, raw)
		}
	case "causeType":
		r.incident.Cause = string(raw)
	case "numberOfLanesRestricted":
		r.incident.LanesClosed = lanes(raw)
	case "numberOfOperationalLanes":
		r.incident.LanesOpen = lanes(raw)
	case "roadOrCarriagewayOrLaneManagementType":
		r.management = string(raw)
	case "vehicleObstructionType":
		r.vehicle = string(raw)
	case "roadNumber", "roadName":
		r.addRoad(unescape(raw))
	case "value":
		text := strings.Join(strings.Fields(unescape(raw)), " ")
		if d := &r.incident.Description; x.inElement("generalPublicComment") && text != "" && len(*d)+len(text) < maxDescription {
			if *d != "" {
				*d += "; "
			}
			*d += text
		}
	case "cancel", "end":
		r.over = r.over || x.inElement("lifeCycleManagement") && string(raw) == "true"
	default:
		r.place.leaf(x, name, raw)
	}
}

func (r *record) addRoad(name string) {
	for _, known := range r.incident.Roads {
		if known == name {
			return
		}
	}
	if name != "" && len(r.incident.Roads) < 8 {
		r.incident.Roads = append(r.incident.Roads, name)
	}
}

// lanes reads a number of lanes; nil where that is none.
func lanes(raw []byte) *int {
	n, err := strconv.Atoi(string(raw))
	if err != nil || n < 0 || n > 32 {
		return nil
	}
	return &n
}

// add puts a record into a document.
func (r *record) add(d *traffic.Document, s *situation) error {
	kind, known := kinds[r.kind]
	switch {
	case r.over:
		if r.id != "" {
			return d.End(r.id)
		}
		return nil
	case r.status == "suspended":
		d.Reject("suspended by its source")
		return nil
	case !known:
		d.Reject("no incident on the road")
		return nil
	}
	if err := r.place.fits(); err != nil {
		return err
	}
	in := r.incident
	in.Situation, in.Kind = s.id, kind
	if in.Severity == "" {
		in.Severity = s.severity
	}
	in.Severity = traffic.Severity(in.Severity)
	closed := false
	switch r.management {
	case "roadClosed", "carriagewayClosures":
		in.Kind, closed = "closure", true
	case "laneClosures", "laneClosed", "lanesClosed", "narrowLanes":
		in.Kind = "lane_closure"
	}
	if r.vehicle == "brokenDownVehicle" || r.vehicle == "brokenDownHeavyLorry" {
		in.Kind = "vehicle_breakdown"
	}
	places := r.place.places(r.links)
	if places == nil && r.place.tmc {
		d.Reject(tmcAlone)
		return nil
	}
	if places == nil {
		d.Reject(traffic.NoPlace)
		return nil
	}
	windows, clear := r.windows(d.Taken, places)
	if closed && !clear {
		closed = false
		d.Reject("a closure at recurring hours that cannot be expressed, which only informs")
	}
	for i, p := range places {
		id := r.id
		if i > 0 && id != "" {
			id = fmt.Sprintf("%s#%d", id, i)
		}
		incident := in
		if err := d.Add(&traffic.Record{ID: id, Place: p, At: in.Updated, Closed: closed, Windows: windows, Incident: &incident}); err != nil {
			return err
		}
	}
	return nil
}
