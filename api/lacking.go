package api

// lacking names the capability that an endpoint of the contract needs and that no
// deployment of this version has, by its path; "" where that is none. A caller who looks
// for it gets 501, as for capabilities that a deployment could have.
func lacking(path string) string {
	if path == "/v1/clearance/along" {
		return "clearance"
	}
	return ""
}
