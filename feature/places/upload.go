package places

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/wire/schema"
)

// mostProblems is how many problems one refusal of an upload names.
const mostProblems = 100

// Upload is a list of places as it was sent.
type Upload struct{ raw json.RawMessage }

// Size returns how many bytes the list has.
func (l *Upload) Size() int { return len(l.raw) }

// DecodeJSON takes any list.
func (l *Upload) DecodeJSON(c *schema.Context, raw json.RawMessage) {
	if len(raw) == 0 || raw[0] != '[' {
		c.Refuse("", raw, "must be a list")
		return
	}
	l.raw = raw
}

// Describe describes the places in it.
func (Upload) Describe(doc *schema.Document) *schema.Schema {
	most := MostPlaces
	return &schema.Schema{Type: schema.Array, MaxItems: &most, Items: doc.Schema(reflect.TypeFor[Place]())}
}

// sentPlace is a place as it was sent, with the members that are not known.
type sentPlace struct {
	Place
	Rest schema.UnknownMembers
}

// placePlan reads one place.
var placePlan = schema.Of[sentPlace]()

// Read returns the places. The error is a refusal that names the first 100 problems, or the
// context's.
func (l *Upload) Read(ctx context.Context) ([]Place, error) {
	var list []Place
	u := reader{ids: make(map[string]int)}
	for part := range schema.Entries(l.raw) {
		i := len(list)
		switch {
		case i%readEvery == 0 && ctx.Err() != nil:
			return nil, ctx.Err()
		case i == MostPlaces:
			return nil, fault.New(fault.PlacesTooMany, "more than %d places were sent, which is the most that a key may have; nothing was changed", MostPlaces).With("limit", MostPlaces)
		}
		list = append(list, Place{})
		if err := u.readPlace(ctx, i, part, &list[i]); err != nil {
			return nil, err
		}
	}
	if u.strange != nil {
		return nil, fault.Invalid(u.strange...)
	}
	if u.count == 0 {
		return list, nil
	}
	first := u.problems[0]
	return nil, fault.New(fault.InvalidPlaces, "%d problems were found, of which the first is of places[%d].%s: %s; nothing was changed", u.count, first.Index, first.Field, first.Message).
		With("problems", u.problems).With("problem_count", u.count)
}

// reader gathers what is wrong with places.
type reader struct {
	ids      map[string]int // index of the first place with an id
	problems []Problem
	count    int
	strange  []fault.Violation // members that are not known
}

func (u *reader) add(p Problem) {
	if u.count++; u.count <= mostProblems {
		if text, ok := p.Value.(string); ok {
			p.Value = fault.Clip(text)
		}
		p.ID = fault.Clip(p.ID)
		u.problems = append(u.problems, p)
	}
}

// readPlace reads one place. The error is that of the context.
func (u *reader) readPlace(ctx context.Context, i int, part json.RawMessage, into *Place) error {
	var sent sentPlace
	_, err := placePlan.Read(ctx, part, &sent, schema.Options{Unknown: schema.Refuse})
	*into = sent.Place
	for _, m := range sent.Rest {
		if len(u.strange) < schema.MostViolations {
			u.strange = append(u.strange, fault.Violation{Location: fmt.Sprintf("places[%d].%s", i, m.Name), Message: "is not known here"})
		}
	}
	var f *fault.Error
	switch {
	case err == nil:
	case !errors.As(err, &f):
		return err
	default:
		violations := f.Violations()
		if violations == nil {
			violations = []fault.Violation{{Message: "must be a JSON object"}}
		}
		for _, v := range violations {
			u.add(Problem{Index: i, ID: into.ID, Field: v.Location, Value: v.Value, Message: v.Message})
		}
		return nil
	}
	add := func(field string, value any, message string) {
		u.add(Problem{Index: i, ID: into.ID, Field: field, Value: value, Message: message})
	}
	into.Check(add)
	switch p := into.Properties; {
	case p == nil, string(p) == "null":
		into.Properties = nil
	case p[0] != '{':
		add("properties", nil, "must be a JSON object")
	case len(p) > MostProperties:
		add("properties", nil, fmt.Sprintf("has %d bytes and may have %d", len(p), MostProperties))
	}
	if before, repeated := u.ids[into.ID]; repeated {
		add("id", into.ID, fmt.Sprintf("is that of places[%d] too", before))
	} else {
		u.ids[into.ID] = i
	}
	return nil
}
