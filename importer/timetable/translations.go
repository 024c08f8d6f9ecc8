package timetable

import (
	"context"

	"github.com/waygate/waygate/gtfs"
	"github.com/waygate/waygate/index/timetable"
)

const (
	longestTag       = 35      // bytes of the tag of a language
	mostTranslations = 500_000 // of a feed that are kept
)

// translated names what a translation is of: a field of a table, and of a record or of all that
// have a value.
type translated struct{ field, record, part, value string }

// The fields whose translations are kept.
const (
	stopName     = "stops.stop_name"
	lineShort    = "routes.route_short_name"
	lineLong     = "routes.route_long_name"
	tripSign     = "trips.trip_headsign"
	callSign     = "stop_times.stop_headsign"
	everyoneTold = "trans_id" // of the table as it was before 2020: all texts of a value
)

// readTranslations reads names in further languages.
func (r *reader) readTranslations(ctx context.Context) error {
	kept := 0
	columns := []string{"table_name", "field_name", "language", "translation", "record_id", "record_sub_id", "field_value", "lang", "trans_id"}
	return r.Read(ctx, "translations.txt", columns, func(row *gtfs.Row) {
		of := translated{row.Text(0) + "." + row.Text(1), row.Text(4), row.Text(5), row.Text(6)}
		tag := row.Text(2)
		if old := row.Text(8); old != "" {
			of, tag = translated{field: everyoneTold, value: old}, row.Text(7)
		}
		switch of.field {
		case stopName, lineShort, lineLong, tripSign, callSign, everyoneTold:
		default:
			return
		}
		text := row.Text(3)
		if tag == "" || len(tag) > longestTag || text == "" || of.record == "" && of.value == "" {
			r.Faults.Add("translations.txt: a translation of nothing, or into no language", text)
			return
		}
		if kept++; kept > mostTranslations {
			r.Faults.Add("translations.txt: translations beyond the 500,000 that are kept", text)
			return
		}
		if of.record != "" {
			of.value = ""
		}
		r.names[of] = append(r.names[of], timetable.Name{Language: tag, Text: text})
	})
}

// namesOf returns the translations of a field's value in a record; those of the record come
// first.
func (r *reader) namesOf(field, record, part, value string) (list []timetable.Name) {
	if len(r.names) == 0 || value == "" {
		return nil
	}
	for _, of := range [...]translated{{field, record, part, ""}, {field, "", "", value}, {everyoneTold, "", "", value}} {
		list = append(list, r.names[of]...)
	}
	return list
}
