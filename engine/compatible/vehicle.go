package compatible

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/fault"
)

// Vehicle are the parameters that say what travels and what it would rather not
// take.
var Vehicle = map[string]Reader{
	"height":      option("height"),
	"width":       option("width"),
	"length":      option("length"),
	"weight":      option("weight"),
	"hazmat":      hazmat,
	"tunnel_code": tunnelCode,

	"avoid":           Words(func(q *Query, words []string) { q.avoid = words }),
	"exclude":         Words(func(q *Query, words []string) { q.exclude = words }),
	"avoid_tolls":     willingness("use_tolls", true),
	"avoid_motorways": willingness("use_highways", true),
	"avoid_ferries":   willingness("use_ferry", false),
	"shortest":        Flag(func(q *Query, v bool) { q.chosen["shortest"] = json.RawMessage(strconv.FormatBool(v)) }),
}

// lorry guards the parameters that only a lorry has.
func lorry(q *Query, name string) error {
	if q.Route.Costing != costing.Truck {
		return Refuse(InvalidValue, "%s needs the profile truck", name)
	}
	return nil
}

func option(of string) Reader {
	return func(q *Query, name, value string) error {
		if err := lorry(q, name); err != nil {
			return err
		}
		v, err := Decimal(value)
		if err != nil {
			return Refuse(InvalidValue, "%s is %q and must be a number", name, fault.Clip(value))
		}
		q.chosen[of] = json.RawMessage(strconv.FormatFloat(v, 'g', -1, 64))
		return nil
	}
}

func hazmat(q *Query, name, value string) error {
	if err := lorry(q, name); err != nil {
		return err
	}
	return Flag(func(q *Query, v bool) { q.chosen["hazmat"] = json.RawMessage(strconv.FormatBool(v)) })(q, name, value)
}

func tunnelCode(q *Query, name, value string) error {
	if err := lorry(q, name); err != nil {
		return err
	}
	code, ok := costing.ParseTunnelCode(value)
	if !ok {
		return Refuse(InvalidValue, "%s is %q and must be one of %s (escape the slash as %%2F)", name, fault.Clip(value), strings.Join(costing.TunnelCodes(), ", "))
	}
	// A string always marshals.
	q.chosen["adr_tunnel_code"], _ = json.Marshal(code)
	return nil
}

// willingness reads a switch that sets a willingness to 0, where the profile
// has it.
func willingness(of string, motorised bool) Reader {
	return func(q *Query, name, value string) error {
		c := q.Route.Costing
		if !costing.Find(of).In(c) || motorised && !c.Motorised() {
			return Refuse(InvalidValue, "%s needs a motorised profile; the profile is %s", name, c)
		}
		return Flag(func(q *Query, v bool) {
			if v {
				q.chosen[of] = json.RawMessage("0")
			}
		})(q, name, value)
	}
}
