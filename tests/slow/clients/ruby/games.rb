# Whole games on a client that openapi-generator generated for Ruby from the contract of one rule set. It opens a game,
# plays every seat to the end, reads the log in all its forms, and prints who won:
#
#     ruby -I CLIENT/lib games.rb http://127.0.0.1:8000 marracash

require "json"
require "net/http"
require "securerandom"
require "set"
require "mcmulti_client"

SERVER, RULESET = ARGV
SEATS = { "mcmulti" => 2, "marracash" => 3 }.fetch(RULESET)
DRAWS = Random.new(20121)

# The first commands are any of those offered. After these, everybody passes, and a game that stands still ends.
LIVELY = 60
# How likely a command is chosen, if not 1: a player who never ends a turn does not save.
LIKELY = { "RollDice" => 3, "EndTurn" => 3, "SellAsset" => 0.2, "EndProduction" => 0.2 }.freeze
PASSING = %w[RollDice EndProduction EndPurchases EndTurn].freeze

# A player with a token, and a client that sends the token.
class Player
  attr_reader :games, :play, :log, :token

  def initialize(name)
    anonymous = McMulti::PlayersApi.new(connected(nil))
    new_player = McMulti::NewPlayer.new(name: name)
    @token = anonymous.register_player(new_player, idempotency_key: SecureRandom.uuid).token
    client = connected(@token)
    @games, @play, @log = McMulti::GamesApi.new(client), McMulti::PlayApi.new(client), McMulti::LogApi.new(client)
  end

  private

  def connected(token)
    address = URI(SERVER)
    McMulti::ApiClient.new(McMulti::Configuration.new do |configuration|
      configuration.scheme, configuration.host = address.scheme, "#{address.host}:#{address.port}"
      configuration.server_index = nil
      configuration.access_token = token
    end)
  end
end

def new_game
  case RULESET
  when "mcmulti"
    McMulti::NewMcMultiGame.new(ruleset: RULESET, setup: McMulti::Setup.new(seats: SEATS))
  when "marracash"
    McMulti::NewMarraCashGame.new(ruleset: RULESET, setup: McMulti::MarraCashSetup.new(seats: SEATS))
  end
end

def choose(offered, sent)
  offers = offered.reject { |offer| offer.command == "LeaveSeat" }
  idle = offers.select { |offer| PASSING.include?(offer.command) }
  offers = idle if sent >= LIVELY && !idle.empty?
  offers.max_by { |offer| DRAWS.rand**(1.0 / LIKELY.fetch(offer.command, 1)) }
end

# The offered command, with any values that the offer admits.
def command(offer, chosen)
  values = (offer.fields || {}).to_h do |name, field|
    chosen << field.class.name.split("::").last
    [name.to_sym, any_value(field)]
  end
  McMulti::Command.build(type: offer.command, **values) # takes names as in JSON; `new` calls a field `end` `_end`
end

# As in JSON.
def any_value(field)
  unless field.is_a?(McMulti::Range)
    option = field.options.sample(random: DRAWS)
    return option.respond_to?(:to_hash) ? option.to_hash : option
  end

  step = field.step || 1
  field.min + step * DRAWS.rand((field.max - field.min) / step + 1)
end

# Send what was decided on the game as the entity tag names it. Returns the seats that the game waits for then.
def sent_by(player, game, command, tag)
  commands = McMulti::Commands.new(commands: [command])
  player.play.send_commands(game, commands, if_match: tag, idempotency_key: SecureRandom.uuid).table.to_move
rescue McMulti::ApiError => refused
  raise unless refused.code == 412

  player.play.list_offers(game).to_move # the game went on: look again
end

# The events of a game as they happen, until it is over.
def follow(player, game, media_type)
  address, rest = URI("#{SERVER}/v1/games/#{game}/events"), +""
  request = Net::HTTP::Get.new(address, "Accept" => media_type, "Authorization" => "Bearer #{player.token}")
  Net::HTTP.start(address.host, address.port) do |http|
    http.request(request) do |answer|
      raise answer.body unless answer.code == "200"

      answer.read_body do |part| # as the server sends them
        rest << part
        while (line = rest.slice!(/.*\n/))
          text = line.delete_prefix("data: ")
          next unless text.start_with?("{") # not the other fields of SSE

          item = JSON.parse(text, symbolize_names: true)
          yield McMulti::EventItem.build_from_hash(item) if item.key?(:rule)
        end
      end
    end
  end
end

def read(player, game)
  events, after = 0, 0
  while after
    page = player.log.list_events(game, after: after, limit: 100)
    events += page.events.size
    after = page._next
  end
  puts "Events: #{events}"
  %w[application/x-ndjson text/event-stream].each do |media_type|
    count = 0
    follow(player, game, media_type) { count += 1 }
    puts "#{media_type}: #{count}"
  end
  puts "Frames: #{player.log.replay_game(game, by: 'turn', limit: 1000).frames.size}"
  puts "Lines of the ledger: #{player.log.get_ledger(game, limit: 1000).lines.size}"
  puts "Trial balance: #{player.log.get_balances(game).trial_balance.map(&:sum).uniq.sort.join(' ')}"
end

# Every player by rank, or the players who won.
def places(view)
  case RULESET
  when "mcmulti"
    view.standings.map { |place| "#{place.rank}. #{view.seats[place.seat].name}: #{place.cash}" }
  when "marracash"
    view.winners.map { |seat| "1. #{view.seats[seat].name}: #{view.seats[seat].cash}" }
  end
end

run = SecureRandom.hex(3)
players = %w[Ada Ben Cleo].first(SEATS).map { |name| Player.new("#{name} #{run}") }
game = players.first.games.open_game(new_game, idempotency_key: SecureRandom.uuid).game
players.each { |player| player.play.take_seat(game, McMulti::Join.new(entropy: SecureRandom.hex)) }
puts "Plays game #{game}"
chosen, sent = Set.new, 0
to_move = players.first.play.list_offers(game).to_move
until to_move.empty?
  player = players[to_move.first]
  now, _status, headers = player.play.list_offers_with_http_info(game)
  to_move = sent_by(player, game, command(choose(now.offers, sent), chosen), headers["etag"])
  sent += 1
end
puts "Chose among: #{chosen.sort.join(' ')}"
read(players.first, game)
puts places(players.first.games.get_game(game).view)
