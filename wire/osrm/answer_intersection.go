package osrm

import "github.com/waygate/waygate/engine"

// intersections writes what step i passes. The lanes are those before the next
// manoeuvre.
func (w *legWriter) intersections(i int, passed []engine.Intersection) {
	w.Open('[', "intersections")
	for k := range passed {
		x := &passed[k]
		w.Open('{')
		w.intersection(x)
		if x.Out >= 0 {
			w.onward(x)
			if k == 0 && i+1 < len(w.leg.Manoeuvres) {
				w.lanes(&w.leg.Manoeuvres[i+1])
			}
		} else {
			w.admin(x)
		}
		w.Close('}')
	}
	w.Close(']')
}

// intersection writes what all have. Most of a route's text is of these, so that what
// is the same in each is written at once.
func (w *legWriter) intersection(x *engine.Intersection) {
	w.Text(`"location":`)
	w.Position(w.leg.Line[x.Point])
	w.Text(`,"bearings":[`)
	for i := range x.Roads {
		w.IntElement(int64(x.Roads[i].Bearing))
	}
	w.Text(`],"entry":[`)
	for i := range x.Roads {
		w.BoolElement(x.Roads[i].Entry)
	}
	w.Text(`]`)
	if x.In >= 0 {
		w.Text(`,"in":`)
		w.IntElement(int64(x.In))
	}
	if x.Out >= 0 {
		w.Text(`,"out":`)
		w.IntElement(int64(x.Out))
	}
	w.Text(`,"geometry_index":`)
	w.IntElement(int64(x.Point))
}

func (w *legWriter) admin(x *engine.Intersection) {
	if x.Admin >= 0 {
		w.Text(`,"admin_index":`)
		w.IntElement(int64(x.Admin))
	}
}

// onward writes what one that is left has: the time and the weight to the next,
// what of them is lost here, what stands here and what the road after it is.
func (w *legWriter) onward(x *engine.Intersection) {
	w.Text(`,"duration":`)
	w.NumberElement(x.Seconds, 3)
	w.Text(`,"weight":`)
	w.NumberElement(x.Cost, 3)
	if x.Turn > 0 {
		w.Text(`,"turn_duration":`)
		w.NumberElement(x.Turn, 3)
	}
	if x.TurnCost > 0 {
		w.Text(`,"turn_weight":`)
		w.NumberElement(x.TurnCost, 3)
	}
	w.admin(x)
	w.StringIf("tunnel_name", x.TunnelName)
	if w.out.Urban {
		w.Bool("is_urban", x.Road&engine.UrbanRoad != 0)
	}
	w.nodeMarks(x.Marks)
	w.classes(x.Road)
}

func (w *legWriter) nodeMarks(s engine.NodeMarks) {
	if s == 0 {
		return
	}
	if s&(engine.TollGantry|engine.TollBooth) != 0 {
		kind := "toll_booth"
		if s&engine.TollGantry != 0 {
			kind = "toll_gantry"
		}
		w.Open('{', "toll_collection")
		w.String("type", kind)
		w.Close('}')
	}
	w.BoolIf("traffic_signal", s&engine.Signal != 0)
	w.BoolIf("stop_sign", s&engine.StopSign != 0)
	w.BoolIf("yield_sign", s&engine.GiveWay != 0)
	w.BoolIf("railway_crossing", s&engine.LevelCrossing != 0)
}

// classNames are OSRM's classes of roads, in the order in which they are
// written.
var classNames = [...]struct {
	mark engine.RoadMarks
	name string
}{
	{engine.TollRoad, "toll"},
	{engine.MotorwayRoad, "motorway"},
	{engine.FerryLine, "ferry"},
	{engine.TunnelRoad, "tunnel"},
	{engine.RestrictedRoad, "restricted"},
}

// classes writes the classes of a road, where it is of any.
func (w *legWriter) classes(road engine.RoadMarks) {
	if road&^engine.UrbanRoad == 0 {
		return
	}
	w.Open('[', "classes")
	for _, c := range classNames {
		if road&c.mark != 0 {
			w.StringElement(c.name)
		}
	}
	w.Close(']')
}
