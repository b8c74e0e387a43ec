// Package args decides which arguments a profile can give its browser. Cove passes on those that it knows to be
// harmless.
package args

import (
	"strings"

	"cove/internal/fault"
	"cove/internal/wording"
)

// Clean returns an argument as the browser reads it, or says why Cove does not pass it on.
func Clean(arg string) (string, error) {
	name, value, ok := splitSwitch(arg)
	if !ok {
		return "", fault.Fieldf("args", "%q is not a browser argument.", wording.Shorten(arg, 80)).
			WithHint("Write it as --name or --name=value; pages go into the start pages.")
	}
	if err := checkSwitch(name, value); err != nil {
		return "", err
	}

	if !strings.Contains(arg, "=") {
		return "--" + name, nil
	}
	return "--" + name + "=" + value, nil
}

// NeedsPerson reports whether only the person may give a profile this argument.
func NeedsPerson(arg string) bool {
	name, _, ok := splitSwitch(arg)
	return ok && switches()[name].verdict == person
}

// checkSwitch says why Cove does not pass a switch on.
func checkSwitch(name, value string) error {
	r, known := switches()[name]
	if !known {
		if why := reason(name); why != "" {
			return fault.Fieldf("args", "The browser argument --%s is not allowed: %s.", name, why).
				WithHint("Remove it.")
		}
		return fault.Fieldf("args", "Cove does not allow the browser argument --%s.",
			wording.Shorten(name, 80)).
			WithHint("Cove allows only arguments that are known to be safe: docs/arguments.md lists them. " +
				"Remove this one.")
	}
	if r.value == nil {
		return nil
	}
	if wrong := r.value(value); wrong != "" {
		return fault.Fieldf("args", "The value of the browser argument --%s is not allowed: %s.", name, wrong).
			WithHint("docs/arguments.md lists what Cove allows.")
	}
	return nil
}

func reason(name string) string {
	for _, r := range reasons {
		if prefix, many := strings.CutSuffix(r.name, "*"); name == r.name || (many && strings.HasPrefix(name, prefix)) {
			return r.why
		}
	}
	return ""
}

var switchPattern = pattern(`^--?[a-z0-9][a-z0-9_-]*$`)

// splitSwitch reads an argument as Chromium does: one or two dashes, and a name in any case, because Windows accepts
// any.
func splitSwitch(arg string) (name, value string, ok bool) {
	name, value, _ = strings.Cut(arg, "=")
	name = strings.ToLower(name)
	if !switchPattern().MatchString(name) {
		return "", "", false
	}
	return strings.TrimPrefix(strings.TrimPrefix(name, "-"), "-"), value, true
}

var (
	plainPattern    = pattern(`^[A-Za-z0-9._,:+#=-]*$`)
	languagePattern = pattern(`^[A-Za-z0-9,;=._*-]+$`)
	originPattern   = pattern(`^(https?://[A-Za-z0-9.*:\[\]-]+(,|$))+$`)
)

// longestWord is the longest plain value or list of languages, in bytes.
const longestWord = 200

func plain(value string) string {
	if len(value) <= longestWord && plainPattern().MatchString(value) {
		return ""
	}
	return "it must be a word, numbers or empty"
}

// text accepts any value. The profile has already refused control characters and long texts.
func text(string) string { return "" }

func languages(value string) string {
	if len(value) <= longestWord && languagePattern().MatchString(value) {
		return ""
	}
	return "it must be a list of languages such as de-AT,de"
}

func origins(value string) string {
	if originPattern().MatchString(value) {
		return ""
	}
	return "it must be a list of origins such as https://example.com"
}

func scriptFlags(value string) string {
	for _, flag := range strings.FieldsFunc(value, func(r rune) bool { return r == ' ' || r == ',' || r == '\t' }) {
		if !scriptFlag().MatchString(flag) {
			return "it must not contain " + wording.Shorten(flag, 80)
		}
	}
	return ""
}

func pageSettings(value string) string {
	for one := range strings.SplitSeq(value, ",") {
		if !pageSetting().MatchString(one) {
			return "it must not contain " + wording.Shorten(one, 80)
		}
	}
	return ""
}

func featuresOn(value string) string  { return featureList("on", value) }
func featuresOff(value string) string { return featureList("off", value) }

// featureList checks a list of feature names. It refuses parameters and studies, which are more than a name.
func featureList(way, value string) string {
	for name := range strings.SplitSeq(value, ",") {
		name = strings.TrimSpace(name)
		if can := features()[name]; name != "" && can != way && can != "both" {
			return "the feature " + wording.Shorten(name, 80) + " is not known to be safe"
		}
	}
	return ""
}
