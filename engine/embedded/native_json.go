package embedded

// The native face as text: field by field in the order of the structs, whose
// tags say the same to those who read an answer.

// json writes an answer.
func (a *nativeAnswer) json() ([]byte, error) {
	t := &text{b: make([]byte, 0, a.size())}
	t.raw(`{"trip":`)
	t.trip(&a.Trip)
	if len(a.Alternates) > 0 {
		t.raw(`,"alternates":`)
		list(t, a.Alternates, func(x *nativeAlternate) {
			t.raw(`{"trip":`)
			t.trip(&x.Trip)
			t.raw("}")
		})
	}
	t.stringUnlessEmpty(`,"id":`, a.ID)
	t.raw("}")
	return t.b, t.err
}

// size is about how long the text becomes.
func (a *nativeAnswer) size() int {
	n := a.Trip.size()
	for i := range a.Alternates {
		n += a.Alternates[i].Trip.size()
	}
	return n
}

func (trip *nativeTrip) size() int {
	n := 512 + 128*len(trip.Locations)
	for i := range trip.Legs {
		l := &trip.Legs[i]
		n += 256
		for j := range l.Maneuvers {
			m := &l.Maneuvers[j]
			n += 300 + len(m.Instruction) + len(m.Alert) + len(m.Succinct) + len(m.Pre) + len(m.Post)
		}
		switch s := l.Shape.(type) {
		case string:
			n += len(s) + len(s)/16
		case lineString:
			n += 24 * len(s.Coordinates)
		}
	}
	return n
}

func (t *text) trip(v *nativeTrip) {
	t.raw(`{"locations":`)
	list(t, v.Locations, t.location)
	t.raw(`,"legs":`)
	list(t, v.Legs, t.leg)
	t.raw(`,"summary":`)
	t.summary(&v.Summary)
	t.raw(`,"status_message":`)
	t.string(v.StatusMessage)
	t.raw(`,"status":`)
	t.int(v.Status)
	t.raw(`,"units":`)
	t.string(v.Units)
	t.raw(`,"language":`)
	t.string(v.Language)
	t.raw("}")
}

func (t *text) location(v *nativeLocation) {
	t.raw(`{"type":`)
	t.string(string(v.Type))
	t.raw(`,"lat":`)
	t.number(v.Lat)
	t.raw(`,"lon":`)
	t.number(v.Lon)
	t.stringUnlessEmpty(`,"name":`, v.Name)
	if v.Heading != nil {
		t.raw(`,"heading":`)
		t.number(*v.Heading)
	}
	t.stringUnlessEmpty(`,"date_time":`, v.DateTime)
	t.stringUnlessEmpty(`,"time_zone_offset":`, v.ZoneOffset)
	t.stringUnlessEmpty(`,"time_zone_name":`, v.ZoneName)
	t.stringUnlessEmpty(`,"side_of_street":`, v.SideOfStreet)
	t.raw(`,"original_index":`)
	t.int(v.OriginalIndex)
	t.raw("}")
}

func (t *text) leg(v *nativeLeg) {
	t.raw("{")
	if len(v.Maneuvers) > 0 {
		t.raw(`"maneuvers":`)
		list(t, v.Maneuvers, t.maneuver)
		t.raw(",")
	}
	t.raw(`"summary":`)
	t.summary(&v.Summary)
	if v.Shape != nil {
		t.raw(`,"shape":`)
		t.shape(v.Shape)
	}
	t.raw("}")
}

func (t *text) shape(v any) {
	switch v := v.(type) {
	case string:
		t.string(v)
	case lineString:
		t.raw(`{"type":`)
		t.string(v.Type)
		t.raw(`,"coordinates":`)
		list(t, v.Coordinates, func(p *[2]float64) { t.pair(*p) })
		t.raw("}")
	default:
		t.any(v)
	}
}

func (t *text) pair(p [2]float64) {
	t.raw("[")
	t.number(p[0])
	t.raw(",")
	t.number(p[1])
	t.raw("]")
}

func (t *text) summary(v *nativeSummary) {
	t.raw("{")
	t.admins(v)
	t.raw(`"has_time_restrictions":`)
	t.bool(v.HasTimeRestrictions)
	t.raw(`,"has_toll":`)
	t.bool(v.HasToll)
	t.raw(`,"has_highway":`)
	t.bool(v.HasHighway)
	t.raw(`,"has_ferry":`)
	t.bool(v.HasFerry)
	t.raw(`,"min_lat":`)
	t.number(v.MinLat)
	t.raw(`,"min_lon":`)
	t.number(v.MinLon)
	t.raw(`,"max_lat":`)
	t.number(v.MaxLat)
	t.raw(`,"max_lon":`)
	t.number(v.MaxLon)
	t.raw(`,"time":`)
	t.number(v.Time)
	t.raw(`,"length":`)
	t.number(v.Length)
	t.raw(`,"cost":`)
	t.number(v.Cost)
	if len(v.LevelChanges) > 0 {
		t.raw(`,"level_changes":`)
		list(t, v.LevelChanges, func(p *[2]float64) { t.pair(*p) })
	}
	t.raw("}")
}

// admins writes the countries of a leg, where they were asked for, and where it
// crosses their borders, if it does.
func (t *text) admins(v *nativeSummary) {
	if v.Admins != nil {
		t.raw(`"admins":`)
		list(t, v.Admins, func(a *nativeAdmin) {
			t.raw(`{"country_code":`)
			t.string(a.CountryCode)
			t.raw(`,"country_text":`)
			t.string(a.CountryText)
			t.raw(`,"state_code":`)
			t.string(a.StateCode)
			t.raw(`,"state_text":`)
			t.string(a.StateText)
			t.raw("}")
		})
		t.raw(",")
	}
	if len(v.Crossings) > 0 {
		t.raw(`"admin_crossings":`)
		list(t, v.Crossings, func(c *nativeCrossing) {
			t.raw(`{"from_admin_index":`)
			t.int(c.From)
			t.raw(`,"to_admin_index":`)
			t.int(c.To)
			t.raw(`,"begin_shape_index":`)
			t.int(c.Begin)
			t.raw(`,"end_shape_index":`)
			t.int(c.End)
			t.raw("}")
		})
		t.raw(",")
	}
}

func (t *text) maneuver(v *nativeManeuver) {
	t.raw(`{"type":`)
	t.int(int(v.Type))
	t.stringUnlessEmpty(`,"instruction":`, v.Instruction)
	t.stringUnlessEmpty(`,"verbal_transition_alert_instruction":`, v.Alert)
	t.stringUnlessEmpty(`,"verbal_succinct_transition_instruction":`, v.Succinct)
	t.stringUnlessEmpty(`,"verbal_pre_transition_instruction":`, v.Pre)
	t.stringUnlessEmpty(`,"verbal_post_transition_instruction":`, v.Post)
	if len(v.StreetNames) > 0 {
		t.raw(`,"street_names":`)
		t.strings(v.StreetNames)
	}
	if len(v.BeginStreetNames) > 0 {
		t.raw(`,"begin_street_names":`)
		t.strings(v.BeginStreetNames)
	}
	if v.BearingBefore != nil {
		t.raw(`,"bearing_before":`)
		t.int(*v.BearingBefore)
	}
	if v.BearingAfter != nil {
		t.raw(`,"bearing_after":`)
		t.int(*v.BearingAfter)
	}
	t.raw(`,"time":`)
	t.number(v.Time)
	t.raw(`,"length":`)
	t.number(v.Length)
	t.raw(`,"cost":`)
	t.number(v.Cost)
	t.raw(`,"begin_shape_index":`)
	t.int(v.BeginShapeIndex)
	t.raw(`,"end_shape_index":`)
	t.int(v.EndShapeIndex)
	t.ifTrue(`,"toll":`, v.Toll)
	t.ifTrue(`,"highway":`, v.Highway)
	t.ifTrue(`,"ferry":`, v.Ferry)
	t.ifTrue(`,"rough":`, v.Rough)
	t.ifTrue(`,"gate":`, v.Gate)
	t.ifTrue(`,"has_time_restrictions":`, v.HasTimeRestrictions)
	if v.Sign != nil {
		t.raw(`,"sign":`)
		t.sign(v.Sign)
	}
	t.intUnlessZero(`,"roundabout_exit_count":`, v.RoundaboutExitCount)
	t.ifTrue(`,"verbal_multi_cue":`, v.VerbalMultiCue)
	t.raw(`,"travel_mode":`)
	t.string(v.TravelMode)
	t.raw(`,"travel_type":`)
	t.string(v.TravelType)
	if len(v.Lanes) > 0 {
		t.raw(`,"lanes":`)
		list(t, v.Lanes, func(l *nativeLane) {
			t.raw(`{"directions":`)
			t.int(int(l.Directions))
			t.intUnlessZero(`,"valid":`, int(l.Valid))
			t.intUnlessZero(`,"active":`, int(l.Active))
			t.raw("}")
		})
	}
	t.raw("}")
}

func (t *text) sign(v *nativeSign) {
	comma := "{"
	for _, x := range []struct {
		member   string
		elements []signText
	}{{`"exit_number_elements":`, v.Number}, {`"exit_branch_elements":`, v.Branch}, {`"exit_toward_elements":`, v.Toward}, {`"exit_name_elements":`, v.Name}} {
		if len(x.elements) == 0 {
			continue
		}
		t.raw(comma)
		t.raw(x.member)
		list(t, x.elements, func(s *signText) {
			t.raw(`{"text":`)
			t.string(s.Text)
			t.intUnlessZero(`,"consecutive_count":`, s.Count)
			t.raw("}")
		})
		comma = ","
	}
	if comma == "{" {
		t.raw("{")
	}
	t.raw("}")
}
