package main

// feedSettings are about what the world tells at the moment.
type feedSettings struct {
	FuelPrices []string `env:"SVC_FUEL_PRICES" help:"Prices of fuel: files, folders of files, or addresses, separated by commas; see docs/feeds.md." placeholder:"FILE"`
	Traffic    []string `env:"SVC_TRAFFIC" help:"Live traffic: files or addresses, separated by commas; see docs/traffic.md." placeholder:"FILE"`
	Incidents  []string `env:"SVC_INCIDENTS" help:"Incidents and closures: files or addresses, separated by commas; see docs/traffic.md." placeholder:"FILE"`
	Profile    string   `env:"SVC_TRAFFIC_PROFILE" help:"Usual speeds by the hour of the week, a CSV file; see docs/traffic.md." type:"path" placeholder:"FILE"`
	Feeds      string   `env:"SVC_FEEDS" help:"JSON file that lists live feeds; see docs/feeds.md." type:"path" placeholder:"FILE"`
}
