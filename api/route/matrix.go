package route

import (
	"cmp"
	"context"
	"reflect"
	"slices"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/feature/receipt"
	"github.com/waygate/waygate/feature/transit"
	"github.com/waygate/waygate/wire/native"
	"github.com/waygate/waygate/wire/valhalla"
)

// DefaultCells is how many cells a matrix may have where nothing else is set.
const DefaultCells = 250_000

// matrices are limited in their size; 0 is DefaultCells.
type matrices struct {
	cells int
	zoneService
	transit publicTransport
}

func (m matrices) most() int { return cmp.Or(m.cells, DefaultCells) }

// MatrixAnswer is a matrix.
type MatrixAnswer struct {
	Durations   [][]*float64               `json:"durations" doc:"seconds of the cheapest way, a row for each source; null where there is none"`
	Distances   [][]*float64               `json:"distances" doc:"metres of the same way; null with the costing transit"`
	Sources     []valhalla.SnappedPosition `json:"sources" doc:"on the road; null where no usable road is near"`
	Targets     []valhalla.SnappedPosition `json:"targets" doc:"on the road; null where no usable road is near"`
	Unreachable []valhalla.UnreachableCell `json:"unreachable" doc:"every null cell"`
	ID          string                     `json:"id,omitempty" doc:"of the request"`
	Transit     *transit.Reach             `json:"transit,omitempty" doc:"with the costing transit alone"`
	Warnings    []native.AnswerWarning     `json:"warnings,omitempty" doc:"906 says why a location has no road"`
	Receipt     *receipt.Receipt           `json:"receipt,omitempty" doc:"present when the request asked for it"`
}

func matrixDoc() edge.Doc {
	return edge.Doc{
		Summary: "Times and distances between many places", Example: `{"sources":[{"lat":49.326622,"lon":-7.267471}],"targets":[{"lat":49.326622,"lon":-7.267471},{"lat":49.321496,"lon":-7.235719}],"costing":"auto"}`,
		Description: "Works out the cheapest way from every source to every target. A location without a usable road near it, or a pair without a way, " +
			"has null cells and stands in unreachable with the reason; the request fails only where no source or no target has a road (400 upstream-error, error_code 171). " +
			"The number of cells is limited (250,000 unless the deployment says otherwise); a larger matrix is a 400 that names the limit. " +
			"A time of departure is that of every source, one of arrival that of every target, but of those with a date_time of their own; durations hold what has to be waited for. " +
			"Live closures count where they hold at the time of arrival there, as in POST /route, also without a date_time for who sets out now; warning 915 says that some counted. " +
			"The costing transit, an extension, is on foot and by public transport: seconds from date_time to the arrival, or with a time of arrival from setting out, the wait for the first vehicle included, by the timetable and by fresh trip updates; or what a share of the departures of a window do not exceed. It has up to 200 sources, 200 targets and 10,000 cells, and 600 searches: sources, or with a time of arrival targets, times departures. transit says how the times came about. " +
			"A call costs the same whatever the size; for a truck it is Premium.",
		Tags:    []string{"analysis"},
		Answers: []edge.Answer{{Type: reflect.TypeFor[MatrixAnswer]()}, refused()},
	}
}

// SourcesToTargets is a matrix in the gateway's form and in Valhalla's.
type SourcesToTargets struct {
	MatrixAnswer
	Cells any    `json:"sources_to_targets" doc:"a list for each source of an object for each target: from_index, to_index, time in seconds and distance in units, null where there is no way, and with a date_time the local date_time of arrival at the target (with type 2 of departure at the source), and time_zone_offset and time_zone_name where they are known; with verbose false an object of durations and distances"`
	Units string `json:"units" enum:"kilometers,miles" doc:"of the distances in sources_to_targets"`
}

func sourcesToTargetsDoc() edge.Doc {
	return edge.Doc{
		Example: matrixDoc().Example, Summary: "Times and distances between many places, for Valhalla's clients",
		Description: "POST /matrix by Valhalla's name. The answer has the members of Valhalla's too: sources_to_targets, as verbose says, and units.",
		Tags:        []string{"analysis"},
		Answers:     []edge.Answer{{Type: reflect.TypeFor[SourcesToTargets]()}, refused()},
	}
}

func (m matrices) matrix(ctx context.Context, in *edge.Question[native.MatrixRequest]) ([]byte, error) {
	return m.answer(ctx, in, valhalla.MatrixForm{})
}

func (m matrices) sourcesToTargets(ctx context.Context, in *edge.Question[native.MatrixRequest]) ([]byte, error) {
	return m.answer(ctx, in, valhalla.MatrixForm{Valhalla: in.Body.Valhalla()})
}

func (m matrices) answer(ctx context.Context, in *edge.Question[native.MatrixRequest], form valhalla.MatrixForm) ([]byte, error) {
	if in.Body.IsTransit() {
		return m.transit.matrix(ctx, in, form)
	}
	q, warnings, err := in.Body.Matrix(in.Region.Engine.Can(), m.most())
	if err != nil {
		return nil, err
	}
	warnings = append(warnings, m.keepOut(in.Region, &in.Body.Zoned, &q.Conditions, in.Points())...)
	form.Square, form.ID, form.Warnings = in.Body.Square(), in.Body.ID, slices.Concat(in.Warnings, warnings)
	a, err := in.Region.Engine.Matrix(ctx, q)
	if err != nil {
		return nil, valhalla.MatrixRefusal(err, form.Square, in.Region.Bounds, q)
	}
	return valhalla.WriteMatrix(a, form)
}
