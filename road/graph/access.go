package graph

// accessKeys are OpenStreetMap's keys of access from the general to the
// particular, with the modes they concern: none for traffic that is no mode of
// its own.
var accessKeys = [...]struct {
	key   string
	modes Modes
}{
	{"access", AllModes},
	{"vehicle", Vehicles},
	{"motor_vehicle", Motor},
	{"motorcar", Auto | HOV | Taxi},
	{"goods", 0},
	{"hgv", Truck},
	{"psv", Bus | Taxi},
	{"bus", Bus},
	{"taxi", Taxi},
	{"hov", HOV},
	{"motorcycle", Motorcycle},
	{"moped", MotorScooter},
	{"mofa", 0},
	{"bicycle", Bicycle},
	{"foot", Pedestrian | Wheelchair},
	{"wheelchair", Wheelchair},
	{"emergency", Emergency},
}

// LastResortKey is the key of an edge's set for the tags, as hgv=unsuitable, that make it a
// last resort to those whom its Limits name.
const LastResortKey = "last_resort"

// AccessKeys yields the keys of access with the modes they concern, the general
// before the particular: for its modes, a later one overrides an earlier one.
func AccessKeys(yield func(key string, modes Modes) bool) {
	for i := range accessKeys {
		if !yield(accessKeys[i].key, accessKeys[i].modes) {
			return
		}
	}
}
