package present

import (
	"fmt"
	"strconv"
	"time"
	_ "time/tzdata" // the same zones on machines without a zone database

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
)

// NotRecorded stands wherever the conversation holds no value.
const NotRecorded = "not recorded"

// Times outside of these bounds are sentinels (0, -1, the largest integer), never moments of a conversation.
const (
	firstMoment = int64(1)
	lastMoment  = int64(9_000_000_000_000_000_000)
)

// Zone returns the location of an IANA name; empty means UTC.
func Zone(name string) (*time.Location, error) {
	if name == "" {
		return time.UTC, nil
	}
	zone, err := time.LoadLocation(name)
	if err != nil {
		return nil, fmt.Errorf("time zone %q: %w", name, err)
	}
	return zone, nil
}

// Recorded says whether ns is a real moment.
func Recorded(ns *int64) bool {
	return ns != nil && *ns >= firstMoment && *ns < lastMoment
}

// AppendTime appends `2026-11-30 18:44:21 UTC`, seconds cut off, or NotRecorded. A nil zone means UTC.
func AppendTime(dst []byte, ns *int64, zone *time.Location) []byte {
	return appendTime(dst, ns, zone, "2006-01-02 15:04:05 MST")
}

// Time is AppendTime as a string.
func Time(ns *int64, zone *time.Location) string {
	return string(AppendTime(nil, ns, zone))
}

// AppendClock appends the time of day, `18:44:21`, or nothing when it is not recorded.
func AppendClock(dst []byte, ns *int64, zone *time.Location) []byte {
	if !Recorded(ns) {
		return dst
	}
	return appendTime(dst, ns, zone, "15:04:05")
}

// MachineTime is the moment in RFC 3339 with nanoseconds in UTC, or empty when it is not recorded.
func MachineTime(ns *int64) string {
	if !Recorded(ns) {
		return ""
	}
	return string(appendTime(nil, ns, time.UTC, time.RFC3339Nano))
}

func appendTime(dst []byte, ns *int64, zone *time.Location, layout string) []byte {
	if !Recorded(ns) {
		return append(dst, NotRecorded...)
	}
	if zone == nil {
		zone = time.UTC
	}
	return time.Unix(0, *ns).In(zone).AppendFormat(dst, layout)
}

// Took returns how long the work of a step took, in nanoseconds, if that is recorded. A model call begins when its step
// is created: its start is recorded only when the answer is there. Other steps may wait before they start. A prompt takes
// no time. Within one second of a clock that counts whole ones, as that of the logs, no time is known.
func Took(s *transcriptv1.Step) (int64, bool) {
	start := s.StartedNs
	switch {
	case s.GetRole() == transcriptv1.Role_ROLE_USER:
		return 0, false
	case s.GetRole() == transcriptv1.Role_ROLE_ASSISTANT, !Recorded(start):
		start = s.CreatedNs
	}
	if !Recorded(start) || !Recorded(s.CompletedNs) || *s.CompletedNs < *start {
		return 0, false
	}
	took := *s.CompletedNs - *start
	return took, took > 0 || *start%int64(time.Second) != 0
}

// Duration is AppendDuration as a string.
func Duration(ns int64) string {
	return string(AppendDuration(nil, ns))
}

// AppendDuration appends a length of time for people: `0 ms`, `850 ms`, `3.2 s`, `4 min 5 s`, `2 h 3 min`. Negative
// values are not durations and read as NotRecorded.
func AppendDuration(dst []byte, ns int64) []byte {
	if ns < 0 {
		return append(dst, NotRecorded...)
	}
	d := time.Duration(ns)
	switch {
	case d.Round(time.Millisecond) < time.Second:
		dst = strconv.AppendInt(dst, d.Round(time.Millisecond).Milliseconds(), 10)
		return append(dst, " ms"...)
	case d.Round(100*time.Millisecond) < time.Minute:
		tenths := d.Round(100*time.Millisecond) / (100 * time.Millisecond)
		dst = strconv.AppendInt(dst, int64(tenths/10), 10)
		if tenths%10 != 0 {
			dst = append(dst, '.', byte('0'+tenths%10))
		}
		return append(dst, " s"...)
	case d.Round(time.Second) < time.Hour:
		s := d.Round(time.Second)
		return appendPair(dst, int64(s/time.Minute), " min", int64(s%time.Minute/time.Second), " s")
	default:
		m := d.Round(time.Minute)
		return appendPair(dst, int64(m/time.Hour), " h", int64(m%time.Hour/time.Minute), " min")
	}
}

func appendPair(dst []byte, major int64, majorUnit string, minor int64, minorUnit string) []byte {
	dst = strconv.AppendInt(dst, major, 10)
	dst = append(dst, majorUnit...)
	if minor != 0 {
		dst = append(dst, ' ')
		dst = strconv.AppendInt(dst, minor, 10)
		dst = append(dst, minorUnit...)
	}
	return dst
}
