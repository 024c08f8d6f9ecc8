package main

// feedSettings are about what the world tells at the moment.
type feedSettings struct {
	FuelPrices []string `env:"SVC_FUEL_PRICES" help:"Prices of fuel: files, folders of files, or addresses, separated by commas; see docs/feeds.md." placeholder:"FILE"`
	Feeds      string   `env:"SVC_FEEDS" help:"JSON file that lists live feeds; see docs/feeds.md." type:"path" placeholder:"FILE"`
}
