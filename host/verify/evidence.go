package verify

// FormatVersion counts incompatible changes of Evidence and of what its digests cover.
const FormatVersion = 1

// Evidence is the member `agyReader.completeness` of a sidecar: what was checked against what. Its digests are `sha256:`
// and hex, over decoded content.
type Evidence struct {
	FormatVersion int `json:"formatVersion"`
	// Profile is the decoder profile, and ProfileDigest tells its contents: schema, wrappers, rules about answers.
	Profile       string `json:"profile"`
	ProfileDigest string `json:"profileDigest"`
	// Storage is "sqlite" or "legacy-pb".
	Storage string `json:"storage"`
	// SourceDigest covers everything that was compared, as stored.
	SourceDigest string `json:"sourceDigest"`
	// PayloadDigest covers the ordinary answer: the sidecar without agyReader.
	PayloadDigest string `json:"payloadDigest"`
	// Steps, ModelCalls and ExecutorRuns count what the source holds.
	Steps        int `json:"steps"`
	ModelCalls   int `json:"modelCalls"`
	ExecutorRuns int `json:"executorRuns"`
	// FullForm is "protobuf" or "json": how the daemon gave the full answer.
	FullForm string `json:"fullForm"`
	// NotCovered are JSON paths of the answers that the source could not confirm, without indexes, in order; see the package
	// comment. The last one is "…" when there are more than a hundred.
	NotCovered []string `json:"notCovered,omitempty"`
}

// State is what stored evidence is worth now.
type State int

// States of a sidecar.
const (
	// Unknown: no evidence, or evidence of another format or profile.
	Unknown State = iota
	// Verified: source and payload are what the evidence says.
	Verified
	// Incomplete: the source or the payload changed since.
	Incomplete
)

// String is the state in one word, as doctor prints it.
func (s State) String() string {
	return [...]string{"unknown", "verified", "incomplete"}[s]
}
