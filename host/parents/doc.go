// Package parents finds out who started whom from the sidecars of one folder, and stamps `agyReader.parentCascadeId`.
//
// # Evidence
//
// For each conversation the candidates of the best class that has any count:
//
//   - native: the child's metadata.parentConversationId, and a parent's invokeSubagent.results[].conversationId;
//   - legacy: a configuration of the child whose agent definition lies at …/brain/PARENT/.agents/agents/…, and a call of
//     invoke_subagent, spawnagents or spawn_agents whose prompt is the first user prompt of a conversation that the parent's
//     next planner response names. One planner response uses up all calls before it.
//
// Messages between agents, order and time are no evidence. One candidate is the parent; several are a conflict, and nobody
// is. Ids are compared without case. A conversation may be named by its cascade id or by its file's name.
//
// # Stamps
//
// The whole folder is resolved before anything is written. A valid stamp is kept, and named when the evidence disagrees;
// repair forgets all stamps and writes or clears what the evidence says. Members of a cycle get no stamp. While sidecars
// in the folder cannot be read their evidence may be missing, so repair then clears no stamp that merely has none.
//
// host/lineage answers the same question for converting, from databases and indexes, and writes nothing.
package parents
