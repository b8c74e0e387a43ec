package input

import (
	"net/url"
	"strings"

	"cove/internal/fault"
)

// FormValues turns form names into the shape of JSON: proxy[host]=h becomes {"proxy":{"host":"h"}}, tags[]=a becomes
// ["a"], and a name that is sent twice becomes a list.
func FormValues(values url.Values) (map[string]any, error) {
	out := map[string]any{}
	for key, vs := range values {
		name, rest, nested := strings.Cut(strings.TrimSuffix(key, "]"), "[")
		before, there := out[name]
		inner, object := before.(map[string]any)
		if there && (!nested || rest == "" || !object) {
			return nil, fault.Fieldf(Clip(name), "The form sends %q twice, in different formats.", Clip(name)).
				WithHint("Send it once.")
		}
		switch {
		case nested && rest == "", !nested && len(vs) > 1:
			out[name] = vs
		case nested:
			if !object {
				inner = map[string]any{}
				out[name] = inner
			}
			inner[rest] = vs[len(vs)-1]
			if len(vs) > 1 {
				inner[rest] = vs
			}
		default:
			out[key] = vs[0]
		}
	}
	return out, nil
}
