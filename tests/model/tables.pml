/* How tables stay consistent: append, acknowledge, publish, hand over, undo, and the leases of bots.
 *
 * Two workers share a database. Two devices of one player send requests to any worker and repeat them
 * there or elsewhere until they are answered. A bot plays the other seat, and the player's if it was
 * handed over. Messages get lost, a worker and the database crash, leases expire: all at any moment,
 * as often as the bounds allow. See docs/model.md.
 *
 * BREAK_... macros break one rule each; Spin must then find the invariant that falls.
 */

#ifndef EVENTS
#define EVENTS 3      /* longest log */
#endif
#ifndef SENDS
#define SENDS 2       /* how many messages the clients send in all */
#endif
#ifndef FAULTS
#define FAULTS 1      /* crashes of a worker or of the database, and leases that expire */
#endif
#define WORKERS 2
#define CLIENTS 2
#define NOBODY 255

/* Events. A move is free (it drew no chance and showed nothing) or not. */
#define FREE 1        /* a move of the player */
#define CHANCE 2
#define BOT_FREE 3    /* a move of a bot */
#define BOT_CHANCE 4
#define UNDO_ONE 5    /* takes back the player's last move */
#define UNDO_TWO 6    /* ... and the bot's answer */
#define HAND_OVER 7
#define COME_BACK 8

/* The database. Events up to `durable` survive its crash. Cell 0 is not used. */
byte kind[EVENTS + 1];
byte request[EVENTS + 1];
byte last = 0;
byte durable = 0;
byte epoch = 0;              /* counts the crashes of the database */
byte holder = NOBODY;        /* of the table's lease */
byte faults = 0;

/* The workers: what is in memory. */
byte known[WORKERS];         /* the last event that is loaded */
bool believes[WORKERS];      /* whether it believes to hold the lease */

/* The clients. Client c sends request c + 1. */
byte wish[CLIENTS];
byte sent = 0;
byte acknowledged[CLIENTS];  /* the event of the answer; 0: none yet */
bool refused[CLIENTS];
byte seen[CLIENTS];          /* the last event that was published to it */
chan inbox[WORKERS] = [2] of { byte };

/* Checked whenever one of these variables changes. */
#define KEPT(c) (acknowledged[c] == 0 || \
                 (acknowledged[c] <= durable && request[acknowledged[c]] == c + 1))

inline check() {
  assert(KEPT(0) && KEPT(1));                        /* no acknowledged event is lost */
  assert(seen[0] <= durable && seen[1] <= durable)   /* nobody sees what is not durable */
}

/* The table after n events: `turn` 0 is the player's seat. The moves are stacks of bits. */
hidden byte i, turn, moves_made, free_bits, by_player;
hidden byte handed;

inline fold(n) {
  turn = 0; moves_made = 0; free_bits = 0; by_player = 0; handed = false; i = 1;
  do
  :: i > n -> break
  :: else ->
     if
     :: kind[i] <= BOT_CHANCE ->
        free_bits = (free_bits << 1) | (kind[i] == FREE || kind[i] == BOT_FREE);
        by_player = (by_player << 1) | (kind[i] <= CHANCE);
        moves_made++; turn = 1 - turn
     :: kind[i] == UNDO_ONE -> free_bits = free_bits >> 1; by_player = by_player >> 1; moves_made--; turn = 1 - turn
     :: kind[i] == UNDO_TWO -> free_bits = free_bits >> 2; by_player = by_player >> 2; moves_made = moves_made - 2
     :: kind[i] == HAND_OVER -> handed = true
     :: kind[i] == COME_BACK -> handed = false
     fi;
     i++
  od;
  i = 0
}

#define BOT_TO_MOVE (turn == 1 || handed)
#define MINE_IS_LAST (moves_made >= 1 && (by_player & 1))
#define BOT_ANSWERED (moves_made >= 2 && !(by_player & 1) && (by_player & 2))
#ifdef BREAK_UNDO
#define IS_FREE(moves) true
#else
#define IS_FREE(moves) ((free_bits & moves) == moves)
#endif
#ifdef BREAK_NUMBER
#define FITS(expected) true
#else
#define FITS(expected) (expected == last)
#endif
#ifdef BREAK_LEASE
#define HOLDS(who) true
#else
#define HOLDS(who) (holder == who)
#endif

/* The event that a request becomes after `fold`, 0 if it is refused. */
inline decide(what, event) {
  event = 0;
  if
  :: what <= CHANCE && !BOT_TO_MOVE -> event = what
  :: what == UNDO_ONE && !handed && MINE_IS_LAST && IS_FREE(1) -> event = UNDO_ONE
  :: what == UNDO_ONE && !handed && BOT_ANSWERED && IS_FREE(3) -> event = UNDO_TWO
  :: what == HAND_OVER && !handed -> event = HAND_OVER
  :: what == COME_BACK && handed -> event = COME_BACK
  :: else -> skip
  fi
}

/* One statement at the database. `result`: the event's number, 0: refused. */
inline append(expected, event, asked, with_lease, who, result) {
  d_step {
    result = 0; i = 1;
    do    /* a request that is stored already is not stored again */
    :: i > last || asked == 0 -> break
    :: else -> if :: request[i] == asked -> result = i :: else -> skip fi; i++
    od;
    if
    :: result -> skip
    :: !result && expected < EVENTS && FITS(expected) && (!with_lease || HOLDS(who)) ->
       assert(!with_lease || holder == who);         /* bots move under the lease */
       result = expected + 1;
       assert(kind[result] == 0);                    /* one event per number */
       fold(last);
       assert(event != UNDO_ONE || (free_bits & 1));      /* undo never crosses chance */
       assert(event != UNDO_TWO || (free_bits & 3) == 3);
       assert(event < BOT_FREE || event > BOT_CHANCE || BOT_TO_MOVE); /* one bot move per turn */
       kind[result] = event; request[result] = asked;
       if :: result > last -> last = result :: else -> skip fi
    :: else -> skip
    fi;
    i = 0
  }
}

inline load(w) { known[w] = durable }

/* Everybody at this worker sees the events up to n. */
inline publish(n) {
  d_step {
    if :: seen[0] < n -> seen[0] = n :: else -> skip fi;
    if :: seen[1] < n -> seen[1] = n :: else -> skip fi;
    check()
  }
}

proctype Worker(byte w) {
  byte client, event, number, began, before;
end:
  do
  :: atomic {  /* decide: reads only what is stored and what this worker has loaded */
       inbox[w] ? client ->
again: skip;
       d_step {  /* the answers to known requests */
         number = 0; i = 1;
         do
         :: i > known[w] -> break
         :: else -> if :: request[i] == client + 1 -> number = i :: else -> skip fi; i++
         od;
         i = 0
       }
       if
       :: number -> goto acknowledge
       :: else -> skip
       fi;
       d_step { fold(known[w]); decide(wish[client], event) }
       if
       :: !event ->
          before = known[w]; load(w);
          if
          :: known[w] > before -> goto again
          :: else -> refused[client] = true; goto done
          fi
       :: else -> skip
       fi
     }
#ifdef BREAK_ACKNOWLEDGE
     d_step { acknowledged[client] = known[w] + 1; check() }
#endif
#ifdef BREAK_PUBLISH
     publish(known[w] + 1);
#endif
     atomic {
       began = epoch; append(known[w], event, client + 1, false, w, number);
       if
       :: number == 0 ->
          before = known[w]; load(w);
          if
          :: known[w] > before -> goto again   /* overtaken */
          :: else -> goto done                 /* the request stays without an answer */
          fi
       :: else -> skip
       fi
     }
#ifndef BREAK_DURABLE
     if  /* the answer of the database comes after its commit */
     :: atomic { number <= durable && epoch == began -> known[w] = number; publish(number) }
     :: atomic { epoch != began || number <= durable -> goto done }  /* unknown, or lost */
     fi;
#else
     atomic { known[w] = number; publish(number) };
#endif
acknowledge: skip;
     if
     :: atomic { true -> acknowledged[client] = number; check() }
     :: skip                                 /* the answer is lost */
     fi;
done: skip;
     d_step { client = 0; event = 0; number = 0; began = 0; before = 0 }

  :: atomic { known[w] < durable -> load(w); publish(known[w]) }

  :: atomic { !believes[w] && holder == NOBODY -> holder = w; believes[w] = true; load(w) }

  :: atomic {                                /* the bot thinks about this position */
       believes[w] && last < EVENTS -> d_step { fold(known[w]); number = BOT_TO_MOVE };
       if
       :: number -> before = known[w]; number = 0
       :: else -> goto over
       fi;
       if :: event = BOT_FREE :: event = BOT_CHANCE fi
     };
     atomic {
       began = epoch;
#ifdef BREAK_BOT
       append(last, event, 0, true, w, number);
#else
       append(before, event, 0, true, w, number);
#endif
       if
       :: number == 0 -> believes[w] = (holder == w); load(w); goto over
       :: else -> skip
       fi
     };
     if
     :: atomic { number <= durable && epoch == began -> known[w] = number; publish(number) }
     :: atomic { epoch != began -> load(w) }
     fi;
over: skip;
     d_step { event = 0; number = 0; began = 0; before = 0 }

  :: faults < FAULTS -> d_step { faults++; known[w] = 0; believes[w] = false; load(w) }
  od
}

proctype Client(byte c) {
  byte w;
end:
  do
  :: atomic {
       sent < SENDS && !acknowledged[c] && !refused[c] ->
       sent++;
       if :: w = 0 :: w = 1 fi;
       if
       :: nfull(inbox[w]) -> inbox[w] ! c
       :: skip                               /* lost */
       fi;
       w = 0
     }
  od
}

init {
  byte c = 0;
  do
  :: c == CLIENTS -> break
  :: else ->
#ifdef WISH
     wish[c] = WISH;
#else
     if
     :: wish[c] = UNDO_ONE
     :: wish[c] = FREE
     :: wish[c] = CHANCE
     :: wish[c] = HAND_OVER
     :: wish[c] = COME_BACK
     fi;
#endif
     c++
  od;
end_order:
  wish[0] <= wish[1];  /* the clients are equal: one order of them is enough */
  /* The game is under way. */
  if
  :: skip
  :: d_step { kind[1] = FREE; last = 1 }
  :: d_step { kind[1] = CHANCE; last = 1 }
  :: d_step { kind[1] = FREE; kind[2] = BOT_FREE; last = 2 }
  :: d_step { kind[1] = FREE; kind[2] = BOT_CHANCE; last = 2 }
  fi;
  d_step { durable = last; known[0] = last; known[1] = last };
  atomic { run Worker(0); run Worker(1); run Client(0); run Client(1); c = 0 };
  /* The database. */
end:
  do
  :: durable < last -> durable = last
  :: faults < FAULTS ->                    /* loses what was not committed */
     d_step {
       faults++; epoch++;
       do
       :: last == durable -> break
       :: else -> kind[last] = 0; request[last] = 0; last--
       od;
       check()
     }
  :: faults < FAULTS && holder != NOBODY -> d_step { faults++; holder = NOBODY }
  od
}
