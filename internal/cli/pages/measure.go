package pages

import (
	"strings"

	"cove/internal/fault"
)

func (r *runner) emulate() verb {
	var network, scheme, viewport, location, userAgent string
	var cpu int
	v := words("emulate", "Change what the page takes the device for",
		"  cove page emulate --network 'Slow 3G'\n  cove page emulate --viewport 400x800x2,mobile,touch", 0, 0,
		func([]string) (plan, error) {
			return one(headOK, "emulate", arguments{}.set("networkConditions", network).set("cpuThrottlingRate", cpu).
				set("colorScheme", scheme).set("viewport", viewport).set("geolocation", location).
				set("userAgent", userAgent))
		})
	flags := v.cmd.Flags()
	flags.StringVar(&network, "network", "", "Offline, 'Slow 3G', 'Fast 3G', 'Slow 4G' or 'Fast 4G'")
	flags.IntVar(&cpu, "cpu", 0, "how many times slower the processor is")
	flags.StringVar(&scheme, "color-scheme", "", "dark, light or auto")
	flags.StringVar(&viewport, "viewport", "", "for example 400x800x2,mobile,touch,landscape")
	flags.StringVar(&location, "geolocation", "", "latitude,longitude")
	flags.StringVar(&userAgent, "user-agent", "", "what the browser calls itself")
	return v
}

func (r *runner) resize() verb {
	return words("resize WIDTH HEIGHT", "Give the page's window this inner size", "  cove page resize 1280 800", 2, 2,
		func(args []string) (plan, error) {
			width, err := numberOf(args[0])
			if err != nil {
				return plan{}, err
			}
			height, err := numberOf(args[1])
			return plan{steps: []step{{"resize_page", arguments{"width": width, "height": height}}}}, err
		})
}

func (r *runner) trace() verb {
	var noReload, open bool
	v := words("trace start|stop|insight [SET NAME]", "Measure how fast the page is", `  cove page trace start
  cove page trace start --no-reload --open    until it is stopped
  cove page trace stop
  cove page trace insight NAVIGATION_0 LCPBreakdown`, 1, 3, func(args []string) (plan, error) {
		file := arguments{}
		if r.out != "" {
			file["filePath"] = r.out
		}
		switch {
		case args[0] == "start" && len(args) == 1:
			file["reload"], file["autoStop"] = !noReload, !open
			return one(headNone, "performance_start_trace", file)
		case args[0] == "stop" && len(args) == 1:
			return one(headNone, "performance_stop_trace", file)
		case args[0] == "insight" && len(args) == 3:
			return one(headNone, "performance_analyze_insight",
				arguments{"insightSetId": args[1], "insightName": args[2]})
		}
		return plan{}, fault.Invalidf("%q is not understood.", strings.Join(args, " ")).
			WithHint("See: cove page trace --help")
	})
	v.cmd.Flags().BoolVar(&noReload, "no-reload", false, "do not load the page again")
	v.cmd.Flags().BoolVar(&open, "open", false, "measure until `cove page trace stop`")
	return v
}

func (r *runner) audit() verb {
	var mode, device string
	v := words("audit", "Audit the page with Lighthouse", "  cove page audit --device mobile", 0, 0,
		func([]string) (plan, error) {
			return one(headNone, "lighthouse_audit",
				arguments{}.set("mode", mode).set("device", device).set("outputDirPath", r.out))
		})
	v.cmd.Flags().StringVar(&mode, "mode", "", "navigation or snapshot")
	v.cmd.Flags().StringVar(&device, "device", "", "desktop or mobile")
	return v
}
