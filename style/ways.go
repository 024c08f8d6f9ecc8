package style

import "slices"

// stroke is how a class of road is drawn: widths in pixels by zoom.
type stroke struct {
	id, color, edge string
	zoom            float64
	filter          any
	widths          []any // pairs of zoom and width
	rim             float64
	rimFrom         float64
	group           string
}

// strokes returns the classes of roads, the least important first.
func (l *ResolvedTheme) strokes() []stroke {
	p := &l.palette
	link := list{"has", "is_link"}
	classes := []stroke{
		{"service", p.Street, p.StreetEdge, 13, all(oneOf("kind", "minor_road"), oneOf("kind_detail", "service")), []any{13, 0.5, 15, 2, 18, 9}, 1, 15, "streets"},
		{"street", p.Street, p.StreetEdge, 11, all(oneOf("kind", "minor_road"), not(oneOf("kind_detail", "service"))), []any{11, 0.4, 12, 0.9, 14, 3, 16, 8, 18, 20}, 1, 13, "streets"},
		{"link", p.Trunk, p.TrunkEdge, 11, all(oneOf("kind", "highway", "major_road"), link), []any{11, 0.6, 13, 1.6, 16, 7, 18, 16}, 1, 12, ""},
		{"tertiary", p.Street, p.StreetEdge, 9, all(oneOf("kind_detail", "tertiary"), not(link)), []any{9, 0.4, 12, 1.8, 14, 4.5, 16, 11, 18, 26}, 1, 11, ""},
		{"secondary", p.Primary, p.PrimaryEdge, 8, all(oneOf("kind_detail", "secondary"), not(link)), []any{8, 0.4, 12, 2.2, 14, 5, 16, 12, 18, 28}, 1, 11, ""},
		{"primary", p.Primary, p.PrimaryEdge, 7, all(oneOf("kind_detail", "primary"), not(link)), []any{7, 0.5, 10, 1.4, 12, 2.8, 14, 5.5, 16, 13, 18, 30}, 1.2, 9, ""},
		{"trunk", p.Trunk, p.TrunkEdge, 5, all(oneOf("kind_detail", "trunk"), not(link)), []any{5, 0.5, 6, 0.7, 10, 1.8, 12, 3.2, 14, 6, 16, 14, 18, 32}, 1.2, 8, ""},
		{"motorway", p.Motorway, p.MotorwayEdge, 4, all(oneOf("kind", "highway"), not(link)), []any{4, 0.6, 8, 1.6, 10, 2.4, 12, 3.8, 14, 6.5, 16, 15, 18, 34}, 1.3, 7, ""},
	}
	for i := range classes {
		classes[i].widths = scaled(l.road*l.widths[classes[i].id], classes[i].widths...)
	}
	return slices.DeleteFunc(classes, func(s stroke) bool { return l.widths[s.id] == 0 })
}

// wide returns lines of a class as wide as the look has them, nothing where it leaves them out.
func (l *ResolvedTheme) wide(class string, lines ...Layer) []Layer {
	factor := l.widths[class]
	if factor == 0 {
		return nil
	}
	for _, d := range lines {
		d.Paint["line-width"] = sized(d.Paint["line-width"], factor)
	}
	return lines
}

// wider returns widths plus a rim on both sides.
func wider(widths []any, rim float64) []any {
	out := append([]any{}, widths...)
	for i := 1; i < len(out); i += 2 {
		out[i] = toFloat(out[i]) + 2*rim
	}
	return out
}

// ways draws roads, railways, ferries and borders: tunnels under, bridges
// over the rest.
func (l *ResolvedTheme) ways() []Layer {
	bridge, tunnel := list{"has", "is_bridge"}, list{"has", "is_tunnel"}
	plain := all(not(bridge), not(tunnel))
	var out []Layer
	for _, level := range []struct {
		name   string
		filter any
	}{{"tunnel", tunnel}, {"road", plain}, {"bridge", bridge}} {
		if level.name != "tunnel" {
			out = append(out, l.paths(level.name, level.filter)...)
		}
		for _, s := range l.strokes() {
			if l.casing == 0 {
				break
			}
			rim := line(level.name+"-"+s.id+"-casing", "roads", max(s.zoom, s.rimFrom), all(s.filter, level.filter), props{
				"line-color": s.edge, "line-width": by(wider(s.widths, s.rim*l.casing)...),
			})
			rim.Layout = props{"line-cap": "butt", "line-join": "round"}
			if level.name == "tunnel" {
				rim.Paint["line-dasharray"] = list{2, 1.5}
				rim.Paint["line-opacity"] = 0.6
			}
			rim.group = s.group
			out = append(out, rim)
		}
		for _, s := range l.strokes() {
			top := line(level.name+"-"+s.id, "roads", s.zoom, all(s.filter, level.filter), props{
				"line-color": s.color, "line-width": by(s.widths...),
			})
			switch level.name {
			case "tunnel":
				top.Layout["line-cap"] = "butt"
				top.Paint["line-color"] = l.palette.Tunnel
			case "bridge":
				top.Layout["line-cap"] = "butt"
			}
			top.group = s.group
			out = append(out, top)
		}
		out = append(out, l.rails(level.name, level.filter)...)
	}
	return slices.Concat(paler(slices.Concat(out, l.overlays())), l.blocks())
}

// paler draws roads and railways the paler the further they lie beyond what the map covers, so
// that they end softly.
func paler(layers []Layer) []Layer {
	at := func(opacity any) list {
		return list{"*", list{"step", list{"to-number", get("beyond")}, 1, 1, 0.65, 2, 0.4, 3, 0.24, 4, 0.14}, opacity}
	}
	for _, d := range layers {
		if d.SourceLayer != "roads" {
			continue
		}
		switch opacity := d.Paint["line-opacity"].(type) {
		case nil:
			d.Paint["line-opacity"] = at(1)[1]
		case list:
			const head = 3 // interpolate, its curve, the zoom
			pairs := slices.Clone(opacity)
			for i := head + 1; i < len(pairs); i += 2 {
				pairs[i] = at(pairs[i])
			}
			d.Paint["line-opacity"] = pairs
		default:
			d.Paint["line-opacity"] = at(opacity)
		}
	}
	return layers
}

func (l *ResolvedTheme) paths(level string, where any) []Layer {
	p := &l.palette
	walk := line(level+"-path", "roads", 13, all(oneOf("kind", "path"), not(oneOf("kind_detail", "track", "pier", "pedestrian")), where), props{
		"line-color": p.Path, "line-width": by(13, 0.5, 15, 1, 18, 2.5), "line-dasharray": list{2, 1.5},
	})
	walk.Layout = props{"line-join": "round"}
	walk.Paint["line-opacity"] = by(13, 0.5, 15, 0.9)
	track := line(level+"-track", "roads", 12, all(oneOf("kind", "path"), oneOf("kind_detail", "track"), where), props{
		"line-color": p.Track, "line-width": by(12, 0.4, 15, 1.2, 18, 4), "line-opacity": by(12, 0.5, 15, 0.9),
	})
	square := line(level+"-pedestrian", "roads", 13, all(oneOf("kind", "path"), oneOf("kind_detail", "pedestrian", "pier"), where), props{
		"line-color": p.Pedestrian, "line-width": by(13, 0.8, 15, 3, 18, 12),
	})
	return of("paths", slices.Concat(l.wide("track", track), l.wide("path", walk), l.wide("pedestrian", square))...)
}

func (l *ResolvedTheme) rails(level string, where any) []Layer {
	p := &l.palette
	main := all(oneOf("kind", "rail"), oneOf("kind_detail", "rail", "narrow_gauge"), not(list{"has", "service"}), where)
	light := all(oneOf("kind", "rail"), list{"any", list{"has", "service"}, not(oneOf("kind_detail", "rail", "narrow_gauge", "disused"))}, where)
	base := line(level+"-rail", "roads", 8, main, props{"line-color": p.Rail, "line-width": by(8, 0.5, 12, 1, 14, 1.8, 18, 5)})
	base.Layout = props{"line-join": "round"}
	lines := line(level+"-transit-lines", "roads", 11, all(oneOf("kind", "rail"), list{"has", "colour"}, where), props{
		"line-color": list{"to-color", get("colour"), p.Rail}, "line-width": by(11, 1, 14, 1.4, 18, 2.6), "line-opacity": by(13, 0.85, 16, 0.6),
	}) // narrow, since trams run in streets
	sleepers := line(level+"-rail-dashes", "roads", 13, main, props{
		"line-color": p.RailSleeper, "line-width": by(13, 0.5, 14, 1, 18, 3.4), "line-dasharray": list{4, 4},
	})
	sleepers.Layout = props{"line-join": "round"}
	siding := line(level+"-rail-minor", "roads", 13, light, props{"line-color": p.Rail, "line-width": by(13, 0.4, 16, 1.2), "line-opacity": 0.8})
	if level == "tunnel" {
		base.Paint["line-opacity"] = 0.4
		base.Paint["line-dasharray"] = list{3, 2}
		lines.Paint["line-opacity"] = by(13, 0.5, 16, 0.35)
		return slices.Concat(of("rails", l.wide("rail", base)...), of("transit_lines", lines))
	}
	return slices.Concat(of("rails", l.wide("rail", siding, base, sleepers)...), of("transit_lines", lines))
}

// overlays draws what goes over roads: runways, lifts, ferries and borders.
func (l *ResolvedTheme) overlays() []Layer {
	p := &l.palette
	runway := line("runway-lines", "roads", 10, all(oneOf("kind", "aeroway"), oneOf("kind_detail", "runway")), props{"line-color": p.Runway, "line-width": by(10, 1, 14, 8, 18, 60)})
	runway.Layout = props{"line-cap": "butt"}
	taxiway := line("taxiway-lines", "roads", 12, all(oneOf("kind", "aeroway"), oneOf("kind_detail", "taxiway")), props{"line-color": p.Runway, "line-width": by(12, 0.5, 14, 2, 18, 20)})
	lift := line("lifts", "roads", 12, oneOf("kind", "aerialway"), props{"line-color": p.Rail, "line-width": by(12, 0.8, 16, 1.6), "line-dasharray": list{6, 2}})
	lift.Layout = props{"line-cap": "butt"}
	ferry := line("ferries", "roads", 8, oneOf("kind", "ferry"), props{"line-color": p.Ferry, "line-width": by(8, 0.8, 14, 1.4), "line-dasharray": list{4, 3}})
	ferry.Layout = props{"line-cap": "butt"}
	border := func(id, kind string, zoom float64, width any, dash list) Layer {
		d := line(id, "boundaries", zoom, oneOf("kind", kind), props{"line-color": p.Border, "line-width": width, "line-dasharray": dash, "line-opacity": 0.8})
		d.Layout = props{"line-join": "round"}
		return d
	}
	country := line("border-country-halo", "boundaries", 4, oneOf("kind", "country"), props{"line-color": p.BorderHalo, "line-width": by(4, 2, 12, 5), "line-opacity": 0.6})
	return slices.Concat(
		of("runways", runway, taxiway), of("rails", lift), of("ferries", l.wide("ferry", ferry)...),
		of("boundaries",
			border("border-locality", "locality", 11, 0.7, list{2, 3}),
			border("border-county", "county", 8, by(8, 0.6, 14, 1.2), list{3, 2}),
			border("border-region", "region", 4, by(4, 0.6, 14, 1.6), list{4, 2}),
			country,
			border("border-country", "country", 0, by(0, 0.6, 6, 1, 14, 2.2), list{6, 2, 1, 2}),
		),
	)
}
